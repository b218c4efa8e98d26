// One message as a bubble, or as a line for what happened in the chat.

import * as api from "./api.js";
import * as clock from "./clock.js";
import { arrange, write } from "./inplace.js";
import { bare, name } from "./names.js";
import { plain, render } from "./richtext.js";

// Nothing yet: `fill` shows the message.
export function bubble(message) {
  const node = document.createElement("article");
  node.dataset.id = message.message_id;
  return node;
}

// Show another state of the message in the same place. What stays as it is keeps its elements. The keyboard focus stays
// on the button that had it, goes to the one in its place, or to the chat's log if there is none.
// `view`: me (a user id), named (show senders' names), doings: press(message, button, element), openLink, sendCommand,
// preview(document), enlarge(address, words).
export function fill(node, message, view) {
  const hadFocus = node.contains(document.activeElement);
  const focused = [...node.querySelectorAll(".keyboard button")].indexOf(document.activeElement);
  const happened = service(message);
  if (happened !== null) {
    node.className = `service ${message.pinned_message ? "slight" : ""}`;
    const line = document.createDocumentFragment();
    line.append(...happened);
    if (node.textContent !== line.textContent) node.replaceChildren(line);
    return;
  }
  const own = message.from.id === view.me;
  node.className = `message ${own ? "own" : ""} ${view.named && !own ? "named" : ""}`;
  const parts = [{ key: "bubble", make: () => div("bubble") }];
  if (message.reply_markup) parts.push({ key: "keyboard", make: board });
  const [body, keys] = arrange(node, parts);
  fillBody(body, message, own, view);
  if (keys) fillBoard(keys, message, view.doings);
  if (!hadFocus || node.contains(document.activeElement)) return;
  const successor = node.querySelectorAll(".keyboard button")[focused] ?? node.closest(".log");
  successor.focus({ preventScroll: true });
}

function fillBody(body, message, own, { named, doings }) {
  const parts = [sender(message.from, own, named)];
  if (message.photo) parts.push(part(photo, message.photo.at(-1), doings));
  if (message.document) parts.push(part(file, message.document, doings));
  const text = message.text ?? message.caption ?? "";
  parts.push(part(words, { text, entities: message.entities ?? message.caption_entities }, doings));
  arrange(body, parts);
  const picture = body.querySelector(".photo img");
  if (picture) picture.alt = message.caption ?? "A picture without words";
  const stamp = body.querySelector(".stamp");
  write(stamp, `${message.edit_date ? "edited " : ""}${clock.hourMinute(message.date)}`);
  stamp.title = clock.full(message.edit_date ?? message.date);
}

// A part of a message that shows one thing, for `arrange`.
function part(make, shown, doings) {
  return { key: `${make.name} ${JSON.stringify(shown)}`, make: () => make(shown, doings) };
}

function sender({ id, first_name: called }, own, named) {
  const who = () => name(called, id);
  const make = () => {
    if (named && !own) return span(`sender hue${id % 7}`, who());
    return span("sender spoken", ...(own ? ["You: "] : [who(), ": "]));
  };
  return { key: `sender ${named} ${own} ${bare(called, id)}`, make };
}

function words({ text, entities }, doings) {
  const node = div("text");
  node.dir = "auto";
  node.append(render(text, entities, doings), span("stamp")); // it floats beside the last line where there is room
  return node;
}

// A message's first words, for the bar of the pinned one.
export function gist(message) {
  return plain(message.text ?? message.caption ?? message.document?.file_name ?? "Picture", 120);
}

function board() {
  const node = div("keyboard");
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", "Buttons of this message");
  return node;
}

// A button stays while it says and does the same in its row: one that somebody holds down never comes to mean another.
function fillBoard(node, message, doings) {
  const rows = message.reply_markup.inline_keyboard;
  const lines = arrange(node, rows.map((_, at) => ({ key: at, make: () => document.createElement("div") })));
  const wanted = (button) => ({ key: JSON.stringify(button), make: () => key(button, message, doings) });
  lines.forEach((line, at) => arrange(line, rows[at].map(wanted)));
}

function key(button, message, doings) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = button.text;
  if (button.url) node.classList.add("link");
  node.addEventListener("click", (event) => {
    if (button.url) doings.openLink(button.url, event);
    else doings.press(message, button, node);
  });
  return node;
}

// The whole picture; its caption says what it shows.
function photo({ file_id: id, width, height }, doings) {
  const address = api.fileAddress(id);
  const look = document.createElement("button");
  look.type = "button";
  look.className = "photo";
  look.title = "Enlarge";
  const picture = document.createElement("img");
  Object.assign(picture, { src: address, width, height, decoding: "sync" });
  look.append(picture);
  look.addEventListener("click", () => doings.enlarge(address, picture.alt));
  return look;
}

function file(document_, doings) {
  const card = div("file");
  const link = document.createElement("a");
  link.href = api.fileAddress(document_.file_id);
  link.download = document_.file_name;
  link.textContent = document_.file_name;
  link.title = "Download";
  card.append(span("file-icon", "↓"), link, span("file-size", size(document_.file_size)));
  if (document_.mime_type === "application/json" || document_.file_name.endsWith(".json")) {
    const look = document.createElement("button");
    look.type = "button";
    look.textContent = "Look inside";
    look.addEventListener("click", () => doings.preview(document_));
    card.append(look);
  }
  return card;
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`;
}

// What happened in the chat, as nodes and words; null if somebody just wrote something.
function service(message) {
  const who = name(message.from.first_name, message.from.id);
  if (message.new_chat_members) {
    const [first] = message.new_chat_members;
    return first.id === message.from.id ? [who, " joined the group"] : [who, " added ", name(first.first_name, first.id)];
  }
  if (message.left_chat_member) {
    const left = message.left_chat_member;
    return left.id === message.from.id ? [who, " left the group"] : [who, " removed ", name(left.first_name, left.id)];
  }
  if (message.pinned_message) return [who, " pinned a message"];
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return ["The group became a supergroup"];
  if (message.forum_topic_created) return [who, " opened the topic ", name(message.forum_topic_created.name)];
  return null;
}

function div(kind) {
  const node = document.createElement("div");
  node.className = kind;
  return node;
}

function span(kind, ...content) {
  const node = document.createElement("span");
  node.className = kind;
  node.append(...content);
  return node;
}
