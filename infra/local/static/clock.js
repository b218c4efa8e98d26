// The table's time, which may run faster than the viewer's, and dates in the viewer's own zone and language.

let base = Date.now() / 1000;
let since = performance.now();
let speed = 1;

export function set(clock) {
  base = clock.now;
  speed = clock.speed;
  since = performance.now();
}

export function now() {
  return base + ((performance.now() - since) / 1000) * speed;
}

export function currentSpeed() {
  return speed;
}

const format = (options) => {
  const formatter = new Intl.DateTimeFormat(undefined, options);
  return (unix) => formatter.format(unix * 1000);
};

export const hourMinute = format({ hour: "2-digit", minute: "2-digit" });
export const hourMinuteSecond = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const full = format({ dateStyle: "full", timeStyle: "medium" });

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relation = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

export function relative(unix) {
  const seconds = unix - now();
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? STEPS.at(-1);
  return relation.format(Math.trunc(seconds / size), unit);
}

// A date-time entity's format is "r", or any of: w (day of the week), d or D (date), t or T (time).
export function dateTime(unix, style, text) {
  if (style === "r") return relative(unix);
  if (!style) return text;
  const options = {};
  if (style.includes("w")) options.weekday = "long";
  if (style.includes("d")) Object.assign(options, { day: "2-digit", month: "2-digit", year: "2-digit" });
  if (style.includes("D")) Object.assign(options, { day: "numeric", month: "long", year: "numeric" });
  if (/t/i.test(style)) Object.assign(options, { hour: "2-digit", minute: "2-digit" });
  if (style.includes("T")) options.second = "2-digit";
  return new Intl.DateTimeFormat(undefined, options).format(unix * 1000);
}
