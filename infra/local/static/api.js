// What the page asks of the table: its state, its news, and the doings of the people at it.

export class NotPossible extends Error {}

export async function state() {
  const answer = await fetch("/table/state");
  if (!answer.ok) throw new Error(`state: ${answer.status}`);
  return answer.json();
}

export async function act(name, given) {
  const answer = await fetch(`/table/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(given),
  });
  const body = await answer.json();
  if (!answer.ok) throw new NotPossible(body.why);
  return body;
}

export async function fileText(id) {
  return (await fetch(fileAddress(id))).text();
}

export function fileAddress(id) {
  return `/table/file/${encodeURIComponent(id)}`;
}

const KINDS = ["message", "edit", "pins", "answer", "user", "commands", "clock", "reset"];

// One stream of events. The browser reconnects by itself and says which event it had last; `lost` means that too much
// was missed to go on from there.
export function listen(after, { on, lost, connected }) {
  const source = new EventSource(`/table/events?after=${encodeURIComponent(after)}`);
  for (const kind of KINDS) source.addEventListener(kind, (event) => on(kind, JSON.parse(event.data)));
  source.addEventListener("lost", () => { source.close(); lost(); });
  source.addEventListener("open", () => connected(true));
  source.addEventListener("error", () => {
    connected(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(lost, 2000);
  });
  return source;
}
