// One Tab stop for many controls: Tab reaches one of them; the arrow keys, Home and End lead to the others.

const STEPS = {
  ArrowLeft: (all, at) => all[at - 1],
  ArrowRight: (all, at) => all[at + 1],
  ArrowUp: (all, at) => across(all, at, -1),
  ArrowDown: (all, at) => across(all, at, 1),
  Home: (all) => all[0],
  End: (all) => all.at(-1),
};

// The controls are those inside `root` that `selector` finds; those of one parent are a row. `home(all)`: the one that
// Tab reaches while none has the focus.
export function rove(root, selector, home) {
  const controls = () => [...root.querySelectorAll(selector)];
  const settle = () => {
    const all = controls();
    const stop = all.includes(document.activeElement) ? document.activeElement : home(all);
    for (const control of all) control.tabIndex = control === stop ? 0 : -1;
  };
  root.addEventListener("focusin", settle);
  root.addEventListener("focusout", settle);
  new MutationObserver(settle).observe(root, {
    childList: true, subtree: true, attributeFilter: ["aria-pressed"],
  });
  root.addEventListener("keydown", (event) => {
    const all = controls();
    const at = all.indexOf(document.activeElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = STEPS[event.key]?.(all, at);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

// The control in the same column of the row above (step -1) or below (1).
function across(all, at, step) {
  const row = (index) => all[index]?.parentElement;
  const column = all.slice(0, at).filter((control) => control.parentElement === row(at)).length;
  let edge = at;
  while (row(edge) === row(at)) edge += step;
  const next = all.filter((control) => control.parentElement === row(edge));
  return next[Math.min(column, next.length - 1)];
}
