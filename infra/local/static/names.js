// People's names, which may be written in either direction, hold characters that turn what stands around them, show
// nothing at all, or look like somebody else's.

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

let numbers = new Map(); // by person's id: which of those of the same name they are, from the second on

// Whom the page shows: those who could be taken for one another get a number.
export function tellApart(people) {
  const found = new Map();
  numbers = new Map();
  for (const { id, name } of people) {
    const looks = name.normalize("NFKC").replace(UNSEEN, "").toLowerCase();
    const before = found.get(looks) ?? 0;
    found.set(looks, before + 1);
    if (before || !looks) numbers.set(id, before + 1);
  }
}

// A name among other words of the page; with an id that of a person.
export function name(text, id) {
  const node = document.createElement("bdi");
  node.textContent = straight(text);
  if (!numbers.has(id)) return node;
  const both = document.createElement("bdi");
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = ` (${numbers.get(id)})`;
  both.append(node, number);
  return both;
}

// A name in an attribute, where no element can hold it together.
export function bare(text, id) {
  return `\u2068${straight(text)}\u2069${numbers.has(id) ? ` (${numbers.get(id)})` : ""}`;
}

function straight(text) {
  const left = text.replace(TURNING, "");
  return left.replace(UNSEEN, "") ? left : "no name";
}
