// What this tab of the browser still knows when its page is loaded again.

export function keep(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // The browser keeps nothing for this page: it then begins anew each time.
  }
}

export function recall(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
