// A text with Telegram's entities as DOM nodes. Everything a person or the bot wrote becomes text nodes, never markup.

import * as clock from "./clock.js";

const TAGS = {
  bold: "b", italic: "i", underline: "u", strikethrough: "s", code: "code", pre: "pre",
  blockquote: "blockquote", expandable_blockquote: "blockquote", spoiler: "span",
};

// `doings`: openLink(url, event) and sendCommand(text).
export function render(text, entities, doings) {
  const sorted = [...(entities ?? [])].sort((a, b) => a.offset - b.offset || b.length - a.length);
  return stretch(text, 0, text.length, sorted, doings);
}

export function plain(text, length) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

function stretch(text, start, end, entities, doings) {
  const out = document.createDocumentFragment();
  let at = start;
  while (entities.length && entities[0].offset < end) {
    const entity = entities.shift();
    const last = entity.offset + entity.length;
    out.append(text.slice(at, entity.offset));
    const inside = [];
    while (entities.length && entities[0].offset < last) inside.push(entities.shift());
    out.append(element(entity, text, inside, doings));
    at = last;
  }
  out.append(text.slice(at, end));
  return out;
}

function element(entity, text, inside, doings) {
  const words = text.slice(entity.offset, entity.offset + entity.length);
  if (entity.type === "date_time") return date(entity, words);
  if (entity.type === "bot_command") return button("command", words, () => doings.sendCommand(words));
  const node = wrapper(entity, words, doings);
  node.append(stretch(text, entity.offset, entity.offset + entity.length, inside, doings));
  return node;
}

function wrapper(entity, words, doings) {
  if (entity.type === "text_link" || entity.type === "url") {
    const link = document.createElement("a");
    link.href = entity.url ?? words;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    link.addEventListener("click", (event) => doings.openLink(link.href, event));
    return link;
  }
  const node = document.createElement(TAGS[entity.type] ?? "span");
  if (entity.type === "spoiler") {
    node.className = "spoiler";
    node.tabIndex = 0;
    node.role = "button";
    node.setAttribute("aria-label", "Hidden text");
    const show = () => { node.classList.add("shown"); node.removeAttribute("aria-label"); };
    node.addEventListener("click", show);
    node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") show(); });
  }
  if (entity.type === "expandable_blockquote") {
    node.className = "expandable";
    node.tabIndex = 0;
    const toggle = () => node.classList.toggle("open");
    node.addEventListener("click", toggle);
    node.addEventListener("keydown", (event) => { if (event.key === "Enter") toggle(); });
  }
  return node;
}

function date(entity, words) {
  const node = document.createElement("time");
  node.dateTime = new Date(entity.unix_time * 1000).toISOString();
  Object.assign(node.dataset, { unix: entity.unix_time, style: entity.date_time_format ?? "", words });
  tickOne(node);
  return node;
}

function tickOne(node) {
  const unix = Number(node.dataset.unix);
  const shown = clock.dateTime(unix, node.dataset.style, node.dataset.words);
  if (node.textContent !== shown) node.textContent = shown;
  node.title = `${clock.full(unix)}, ${clock.relative(unix)}`;
}

// Dates go on: to be called about once a second.
export function tick(root) {
  root.querySelectorAll("time[data-unix]").forEach(tickOne);
}

function button(kind, words, pressed) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = kind;
  node.textContent = words;
  node.addEventListener("click", pressed);
  return node;
}
