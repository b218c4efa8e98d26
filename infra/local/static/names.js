// People's names, which may be written in either direction and hold characters that turn what stands around them.

const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

// A name among other words of the page.
export function name(text) {
  const node = document.createElement("bdi");
  node.textContent = text;
  return node;
}

// A name in an attribute, where no element can hold it together.
export function bare(text) {
  return `\u2068${text.replace(TURNING, "")}\u2069`;
}
