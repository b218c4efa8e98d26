// A press with the mouse counts although news move its button away from under it. Whoever moves the mouse off the button
// themselves takes the press back, as everywhere.

const STILL = 4; // pixels that a hand moves while it presses

let down = null; // the button that was pressed down, and where

addEventListener("pointerdown", (event) => {
  const button = event.pointerType === "mouse" && event.button === 0 ? event.target.closest("button") : null;
  button?.setPointerCapture(event.pointerId);
  down = button && { button, x: event.clientX, y: event.clientY };
});

addEventListener("click", (event) => {
  if (!down || event.detail === 0) return; // nobody's mouse
  const { button, x, y } = down;
  down = null;
  if (Math.hypot(event.clientX - x, event.clientY - y) <= STILL) return;
  if (button.contains(document.elementFromPoint(event.clientX, event.clientY))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });
