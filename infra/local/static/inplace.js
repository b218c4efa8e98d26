// Showing something else in the same place, while what stays is left alone: an element that is replaced by its like, or
// taken out and put back, loses the press that is under way on it, the keyboard focus, and what is open in it.

const keys = new WeakMap(); // by element: what it was made to show

// Let `parent` have these children in this order, each made by `make()` unless one of the same `key` is there already.
// Children made elsewhere stay before them. Returns the elements.
export function arrange(parent, wanted) {
  const had = [...parent.children].filter((node) => keys.has(node));
  const free = Map.groupBy(had, (node) => keys.get(node));
  const nodes = wanted.map(({ key, make }) => free.get(key)?.shift() ?? made(key, make));
  for (const node of [...free.values()].flat()) node.remove();
  let next = had.find((node) => node.parentElement === parent) ?? null;
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling;
    else parent.insertBefore(node, next);
  }
  return nodes;
}

// Words that are there already are not written again: a reader would hear them twice.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function made(key, make) {
  const node = make();
  keys.set(node, key);
  return node;
}
