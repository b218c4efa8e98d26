// One chat on the screen: its head, its messages, its pinned bar, toasts, and the line to write on.

import { bubble, fill, gist } from "./bubble.js";
import { arrange } from "./inplace.js";
import { name } from "./names.js";
import { tick } from "./richtext.js";
import { rove } from "./roving.js";

const NEAR_THE_END = 60;
const TOAST_FOR = 4500;
const IN_MESSAGES = "button, a, .spoiler, .expandable";

export class Pane {
  // `doings`: say(text), which promises null if it was not accepted, start(), and what bubbles need.
  constructor(section, doings) {
    section.append(document.getElementById("pane").content.cloneNode(true));
    this.root = section;
    this.doings = doings;
    const find = (selector) => section.querySelector(selector);
    this.avatar = find(".avatar");
    this.title = find("h2");
    this.title.id = `${section.id}-title`;
    this.subtitle = find(".pane-name p");
    this.people = find(".people");
    this.pinnedBar = find(".pinned");
    this.log = find(".log");
    this.messages = find(".messages");
    this.toastLine = find(".toast");
    this.newest = find(".newest");
    this.composer = find(".composer");
    this.input = find(".composer input");
    this.menu = find(".menu");
    this.commandList = find(".commands");
    this.startButton = find(".start");
    this.nodes = new Map();
    this.unseen = 0;
    this.sending = null;
    this.keys = find(".keys");
    this.keys.id = `${section.id}-keys`;
    this.log.setAttribute("aria-describedby", this.keys.id);
    this.#wire();
  }

  // Show a chat, or what is new about the one that is shown, where the reader's place in it stays.
  // `chat`: {id, title, subtitle, hue, named, me, speaker, started, messages: Map, pinned, commands}.
  show(chat) {
    // A toast is for whoever pressed: it goes when somebody else is played.
    if (this.chat?.me !== chat.me) this.toastLine.classList.remove("shown");
    const isAnother = this.chat?.messages !== chat.messages; // or the same one, loaded again
    this.chat = chat;
    this.view = { me: chat.me, named: chat.named, doings: this.doings };
    this.avatar.textContent = [...chat.title][0] ?? "";
    this.avatar.className = `avatar hue${chat.hue}`;
    this.title.replaceChildren(name(chat.title));
    this.describe(...chat.subtitle);
    this.log.setAttribute("aria-label", `Messages in ${chat.title}`);
    this.input.placeholder = `Write as ${chat.speaker}`;
    this.input.setAttribute("aria-label", `Write as ${chat.speaker}`);
    if (isAnother) { this.nodes.clear(); this.messages.replaceChildren(); }
    for (const message of chat.messages.values()) this.#put(message);
    this.composer.hidden = !chat.started;
    this.startButton.hidden = chat.started;
    this.root.classList.toggle("fresh", !chat.started);
    this.offerCommands(chat.commands);
    this.pin(chat.pinned);
  }

  describe(...subtitle) {
    this.subtitle.replaceChildren(...subtitle);
  }

  add(message) {
    const follow = this.#nearEnd() || message.from.id === this.view.me;
    this.#put(message);
    if (follow) this.toEnd();
    else this.#showUnseen(this.unseen + 1);
  }

  edit(message) {
    if (!this.nodes.has(message.message_id)) return;
    const follow = this.#nearEnd();
    this.#put(message);
    if (follow) this.toEnd();
    const last = this.chat.pinned.at(-1);
    if (last === message.message_id) this.pin(this.chat.pinned);
  }

  pin(pinned) {
    this.chat.pinned = pinned;
    const message = this.chat.messages.get(pinned.at(-1));
    this.pinnedBar.hidden = !message;
    if (message) this.pinnedBar.querySelector(".pinned-text").textContent = gist(message);
  }

  toast(text) {
    clearTimeout(this.toastTimer);
    this.toastLine.textContent = text;
    this.toastLine.classList.add("shown");
    this.toastTimer = setTimeout(() => this.toastLine.classList.remove("shown"), TOAST_FOR);
  }

  offerCommands(commands) {
    this.menu.hidden = commands.length === 0;
    arrange(this.commandList, commands.map(({ command, description }) => ({
      key: `${command} ${description}`, make: () => this.#choice(command, description),
    })));
  }

  tick() {
    tick(this.messages);
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
    this.#showUnseen(0);
  }

  // A message that is there already stays in its place.
  #put(message) {
    const node = this.nodes.get(message.message_id) ?? bubble(message);
    fill(node, message, this.view);
    if (this.nodes.has(message.message_id)) return;
    this.nodes.set(message.message_id, node);
    this.messages.append(node);
  }

  #choice(command, description) {
    const choice = document.createElement("button");
    choice.type = "button";
    const name = document.createElement("b");
    name.textContent = `/${command}`;
    choice.append(name, ` ${description}`);
    choice.addEventListener("click", () => { this.#openMenu(false); this.doings.say(`/${command}`); });
    return choice;
  }

  #newestKey() {
    return [...this.messages.querySelectorAll(".keyboard")].at(-1)?.querySelector("button");
  }

  #nearEnd() {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR_THE_END;
  }

  #showUnseen(count) {
    this.unseen = count;
    this.newest.hidden = count === 0;
    this.newest.querySelector("span").textContent = count === 1 ? "1 new message" : `${count} new messages`;
  }

  #openMenu(open) {
    this.commandList.hidden = !open;
    this.menu.setAttribute("aria-expanded", String(open));
    if (open) this.commandList.querySelector("button")?.focus();
  }

  // The line stays where it was written until the table has it.
  async #send(line) {
    if (line.trim() === "" || line === this.sending) return;
    this.sending = line;
    const accepted = (await this.doings.say(line.trim())) !== null;
    this.sending = null;
    if (accepted && this.input.value === line) this.input.value = "";
  }

  #wire() {
    rove(this.messages, IN_MESSAGES, (all) => this.#newestKey() ?? all.at(-1));
    rove(this.people, "button", (all) => all.find((chip) => chip.getAttribute("aria-pressed") === "true"));
    this.composer.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#openMenu(false);
      this.#send(this.input.value);
    });
    this.menu.addEventListener("click", () => this.#openMenu(this.commandList.hidden));
    this.composer.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.commandList.hidden) { this.#openMenu(false); this.menu.focus(); }
    });
    this.log.addEventListener("scroll", () => { if (this.#nearEnd()) this.#showUnseen(0); });
    new ResizeObserver(() => { if (this.unseen === 0 && this.#wasNearEnd) this.toEnd(); }).observe(this.log);
    this.log.addEventListener("scroll", () => { this.#wasNearEnd = this.#nearEnd(); });
    this.newest.addEventListener("click", () => this.toEnd());
    this.pinnedBar.addEventListener("click", () => {
      const node = this.nodes.get(this.chat.pinned.at(-1));
      node?.scrollIntoView({ block: "center", behavior: "smooth" });
    });
    this.startButton.addEventListener("click", () => this.doings.start());
  }

  #wasNearEnd = true;
}
