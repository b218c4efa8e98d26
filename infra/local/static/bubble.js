// One message as a bubble, or as a line for what happened in the chat.

import * as api from "./api.js";
import * as clock from "./clock.js";
import { name } from "./names.js";
import { plain, render } from "./richtext.js";

// `view`: me (a user id), named (show senders' names), doings: press(message, button, element), openLink, sendCommand,
// preview(document), enlarge(address, words).
export function bubble(message, view) {
  const node = document.createElement("article");
  node.dataset.id = message.message_id;
  fill(node, message, view);
  return node;
}

// Show another state of the message in the same place. The keyboard focus stays on the button that had it, or in the
// chat's log if there is no such button any more.
export function fill(node, message, view) {
  const hadFocus = node.contains(document.activeElement);
  const focused = [...node.querySelectorAll(".keyboard button")].indexOf(document.activeElement);
  const happened = service(message);
  if (happened !== null) {
    node.className = `service ${message.pinned_message ? "slight" : ""}`;
    node.replaceChildren(...happened);
    return;
  }
  const own = message.from.id === view.me;
  node.className = `message ${own ? "own" : ""} ${view.named && !own ? "named" : ""}`;
  const who = name(message.from.first_name, message.from.id);
  const body = document.createElement("div");
  body.className = "bubble";
  if (view.named && !own) body.append(span(`sender hue${message.from.id % 7}`, who));
  else body.append(span("sender spoken", ...(own ? ["You: "] : [who, ": "])));
  if (message.photo) body.append(photo(message, view.doings));
  if (message.document) body.append(file(message.document, view.doings));
  const words = document.createElement("div");
  words.className = "text";
  words.dir = "auto";
  words.append(render(message.text ?? message.caption ?? "", message.entities ?? message.caption_entities, view.doings));
  const stamp = document.createElement("span");
  stamp.className = "stamp";
  stamp.textContent = `${message.edit_date ? "edited " : ""}${clock.hourMinute(message.date)}`;
  stamp.title = clock.full(message.edit_date ?? message.date);
  words.append(stamp); // it floats beside the last line where there is room
  body.append(words);
  node.replaceChildren(body);
  if (message.reply_markup) node.append(keyboard(message, view.doings));
  if (!hadFocus) return;
  const successor = node.querySelectorAll(".keyboard button")[focused] ?? node.closest(".log");
  successor.focus({ preventScroll: true });
}

// A message's first words, for the bar of the pinned one.
export function gist(message) {
  return plain(message.text ?? message.caption ?? message.document?.file_name ?? "Picture", 120);
}

function keyboard(message, doings) {
  const board = document.createElement("div");
  board.className = "keyboard";
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", "Buttons of this message");
  for (const row of message.reply_markup.inline_keyboard) {
    const line = document.createElement("div");
    for (const button of row) {
      const key = document.createElement("button");
      key.type = "button";
      key.textContent = button.text;
      if (button.url) key.classList.add("link");
      key.addEventListener("click", (event) => {
        if (button.url) doings.openLink(button.url, event);
        else doings.press(message, button, key);
      });
      line.append(key);
    }
    board.append(line);
  }
  return board;
}

// The whole picture; its caption says what it shows.
function photo(message, doings) {
  const { file_id: id, width, height } = message.photo.at(-1);
  const address = api.fileAddress(id);
  const words = message.caption ?? "A picture without words";
  const look = document.createElement("button");
  look.type = "button";
  look.className = "photo";
  look.title = "Enlarge";
  const picture = document.createElement("img");
  Object.assign(picture, { src: address, alt: words, width, height, decoding: "sync" });
  look.append(picture);
  look.addEventListener("click", () => doings.enlarge(address, words));
  return look;
}

function file(document_, doings) {
  const card = document.createElement("div");
  card.className = "file";
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

function span(kind, ...content) {
  const node = document.createElement("span");
  node.className = kind;
  node.append(...content);
  return node;
}
