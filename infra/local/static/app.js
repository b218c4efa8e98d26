// The page as a whole: which chats there are, who is played, what happens.

import * as api from "./api.js";
import * as clock from "./clock.js";
import { ask, show } from "./dialogs.js";
import { keep, recall } from "./memory.js";
import { bare, name, tellApart } from "./names.js";
import { Pane } from "./pane.js";

const bot = {
  id: Number(document.body.dataset.botId),
  name: document.body.dataset.botName,
  username: document.body.dataset.botUsername,
};
const narrow = matchMedia("(max-width: 820px)");
const table = {
  group: null, people: [], newcomers: [], messages: new Map(), pinned: new Map(), commands: { group: [], private: [] },
};
const NEAREST = { block: "nearest", inline: "nearest" };
const unread = new Map();
const presses = new Map(); // by query id: the button that waits for its answer, the chat it is in, and who pressed
const early = new Map(); // answers that came before the page knew their query's id
let me = Number(recall("me"));
let stream = null;
let loads = 0;

const group = new Pane(document.getElementById("group"), doings(() => table.group.id));
const own = new Pane(document.getElementById("private"), doings(() => me));

function doings(chat) {
  return {
    say: (text) => attempt("say", { user: me, chat: chat(), text }),
    sendCommand: (text) => attempt("say", { user: me, chat: chat(), text }),
    start: () => attempt("start", { user: me, payload: "" }),
    press,
    openLink,
    preview: show.file,
    enlarge: show.picture,
  };
}

// --- doing ---------------------------------------------------------------------------------------

async function attempt(doing, given) {
  try {
    return await api.act(doing, given);
  } catch (error) {
    (given.chat ? paneOf(given.chat) : shownPane()).toast(error instanceof api.NotPossible ? error.message : "The table does not answer.");
    return null;
  }
}

async function press(message, button, key) {
  const chat = message.chat.id;
  const user = me;
  key.setAttribute("aria-busy", "true");
  const done = await attempt("press", { user, chat, message: message.message_id, data: button.callback_data });
  if (done === null) return key.removeAttribute("aria-busy");
  presses.set(done.query, { key, chat, user });
  setTimeout(() => key.removeAttribute("aria-busy"), 15000);
  if (early.has(done.query)) answered(early.get(done.query));
}

function answered(answer) {
  const press = presses.get(answer.query);
  if (!press) return early.set(answer.query, answer);
  presses.delete(answer.query);
  early.delete(answer.query);
  press.key.removeAttribute("aria-busy");
  if (answer.url) openLink(answer.url);
  else if (answer.alert) show.alert(answer.text);
  else if (answer.text && press.user === me) paneOf(answer.chat).toast(answer.text);
}

// A link to the bot opens its private chat for whoever is played, and presses START there. One that adds it to a group
// leads to the table's, where it is already.
function openLink(url, event) {
  const link = new URL(url, location.href);
  if (link.hostname !== "t.me" || link.pathname.slice(1).toLowerCase() !== bot.username) {
    if (!event || event.currentTarget.tagName !== "A") window.open(url, "_blank", "noopener,noreferrer");
    return;
  }
  event?.preventDefault();
  if (link.searchParams.has("startgroup")) {
    view(table.group.id);
    return group.toast(`${bot.name} is in this group already. Send /new here.`);
  }
  view(me);
  attempt("start", { user: me, payload: link.searchParams.get("start") ?? "" });
}

// --- showing -------------------------------------------------------------------------------------

function paneOf(chat) {
  return chat === table.group.id ? group : own;
}

// One that can be seen on a small screen too.
function shownPane() {
  return document.body.dataset.view === "group" ? group : own;
}

function isVisible(chat) {
  if (document.hidden) return false;
  if (chat !== table.group.id && chat !== me) return false;
  return !narrow.matches || (document.body.dataset.view === "group") === (chat === table.group.id);
}

function play(user) {
  me = user;
  keep("me", me);
  unread.delete(me);
  drawPeople(); // first: it takes room from the chats, which then go to their ends
  showGroup();
  showPrivate();
}

// Go to a chat: the group, or the private chat of somebody, who is played from then on.
function view(chat) {
  look(chat === table.group.id ? "group" : "private");
  if (chat !== table.group.id && chat !== me) play(chat);
  unread.delete(chat);
  drawPeople();
  paneOf(chat).toEnd();
}

// Which of the two chats a small screen shows.
function look(at) {
  document.body.dataset.view = at;
  keep("view", at);
}

function person(user) {
  return table.people.find((one) => one.id === user);
}

function showGroup() {
  const count = table.people.length + 1;
  group.show({
    ...chat(table.group.id), title: table.group.title, subtitle: [`${count} members`], hue: 7, named: true,
    started: true, commands: table.commands.group,
  });
}

function showPrivate() {
  const { name: who, started, blocked } = person(me);
  const subtitle = [name(who, me), started ? "’s private chat" : " has not started the bot yet"];
  own.show({
    ...chat(me), title: bot.name, subtitle, hue: 8, named: false, started: started && !blocked,
    commands: table.commands.private,
  });
}

function chat(id) {
  const messages = table.messages.get(id) ?? new Map();
  table.messages.set(id, messages);
  return { id, me, speaker: bare(person(me).name, me), messages, pinned: table.pinned.get(id) ?? [] };
}

function drawPeople() {
  const row = document.getElementById("switch");
  const tabs = (withGroup) => [
    ...(withGroup ? [tab(table.group.title, table.group.id, document.body.dataset.view === "group")] : []),
    ...table.people.map((one) => {
      const current = one.id === me && (!withGroup || document.body.dataset.view === "private");
      return tab(one.name, one.id, current);
    }),
  ];
  redraw(row, tabs(true));
  redraw(own.people, tabs(false));
  own.people.setAttribute("aria-label", "Whose private chat");
  group.people.setAttribute("aria-label", "Who speaks and presses in the group");
  const label = document.createElement("span");
  label.className = "people-label";
  label.textContent = "You are";
  redraw(group.people, [label, ...table.people.map((one) => chip(one.name, one.id === me, () => play(one.id), one.id))]);
  for (const each of [row, group.people]) each.querySelector("[aria-pressed=true]")?.scrollIntoView(NEAREST);
  pointToNews();
}

// Which way to the tabs with news that a small screen does not show.
function pointToNews() {
  const row = document.getElementById("switch");
  const { left, right } = row.getBoundingClientRect();
  const news = [...row.querySelectorAll(".badge")].map((badge) => badge.parentElement.getBoundingClientRect());
  row.classList.toggle("news-before", news.some((at) => at.left < left));
  row.classList.toggle("news-after", news.some((at) => at.right > right));
}

// The keyboard focus stays on the chip that has it.
function redraw(row, nodes) {
  const focused = [...row.querySelectorAll("button")].indexOf(document.activeElement);
  row.replaceChildren(...nodes);
  row.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}

function tab(title, id, current) {
  const node = chip(title, current, () => view(id), id);
  const count = unread.get(id) ?? 0;
  if (count) {
    const badge = document.createElement("span");
    badge.className = "badge";
    badge.textContent = count;
    badge.setAttribute("aria-label", `${count} unread`);
    node.append(badge);
  }
  return node;
}

function chip(title, current, chosen, id) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = "chip";
  node.setAttribute("aria-pressed", String(current));
  node.append(name(title, id));
  node.addEventListener("click", () => {
    const where = node.parentElement;
    chosen();
    where.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
  });
  return node;
}

function drawHint() {
  document.getElementById("hint").replaceChildren(
    "You play everybody. Choose a game, Join, give the other seats to house players, Start. Or Join as ",
    name(table.people[1].name, table.people[1].id), " too, and as others you add.",
  );
  // It has done its work when the bot lets somebody choose in private. A choice that is over has lost its buttons.
  const offered = ({ id }) =>
    [...(table.messages.get(id)?.values() ?? [])].some((message) => message.reply_markup || message.edit_date);
  document.body.classList.toggle("begun", table.people.some(offered));
}

function drawClock() {
  document.getElementById("now").textContent = clock.hourMinuteSecond(clock.now());
  for (const button of document.querySelectorAll(".speed")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === clock.currentSpeed()));
  }
}

// --- what happens --------------------------------------------------------------------------------

const happen = {
  message({ message }) {
    const id = message.chat.id;
    if (message.migrate_to_chat_id) return load();
    if (id !== table.group.id && !person(id)) return;
    chat(id).messages.set(message.message_id, message);
    if (id === table.group.id || id === me) paneOf(id).add(message);
    if (person(id) && message.reply_markup) drawHint();
    if (!isVisible(id) && message.from.id === bot.id) {
      unread.set(id, (unread.get(id) ?? 0) + 1);
      drawPeople();
    }
  },
  edit({ message }) {
    const id = message.chat.id;
    if (id !== table.group.id && !person(id)) return;
    chat(id).messages.set(message.message_id, message);
    if (id === table.group.id || id === me) paneOf(id).edit(message);
  },
  pins({ chat: id, pinned }) {
    table.pinned.set(id, pinned);
    if (id === table.group.id || id === me) paneOf(id).pin(pinned);
  },
  answer: answered,
  user: refresh,
  commands: refresh,
  clock(time) { clock.set(time); drawClock(); },
  reset() { look("group"); return load(); },
};

async function refresh() {
  const state = await api.state();
  if (state.group.id !== table.group.id) return load();
  Object.assign(table, { people: state.people, newcomers: state.newcomers, commands: state.commands });
  tellApart(table.people);
  group.describe(`${table.people.length + 1} members`);
  group.offerCommands(table.commands.group);
  showPrivate();
  drawPeople();
}

async function load() {
  stream?.close();
  const turn = ++loads;
  let state;
  try {
    state = await api.state();
    if (turn !== loads) return; // another load has begun meanwhile
  } catch {
    document.getElementById("offline").hidden = false;
    return setTimeout(load, 2000);
  }
  const byId = (messages) => new Map(messages.map((message) => [message.message_id, message]));
  table.group = state.group;
  table.people = state.people;
  tellApart(table.people);
  table.newcomers = state.newcomers;
  table.commands = state.commands;
  table.messages = new Map(Object.entries(state.messages).map(([id, messages]) => [Number(id), byId(messages)]));
  table.pinned = new Map(Object.entries(state.pinned).map(([id, pinned]) => [Number(id), pinned]));
  clock.set(state.clock);
  drawHint();
  play(person(me) ? me : table.people[0].id);
  drawClock();
  const connected = (is) => { document.getElementById("offline").hidden = is; };
  stream = api.listen(state.event, { on: (kind, data) => happen[kind](data), lost: load, connected });
}

// --- the bar -------------------------------------------------------------------------------------

for (const button of document.querySelectorAll(".speed")) {
  button.addEventListener("click", () => attempt("speed", { speed: Number(button.dataset.speed) }));
}
document.getElementById("add").addEventListener("click", () => {
  ask.names(table.newcomers, async (newcomer, all) => {
    const added = await api.act("person", { name: newcomer });
    // Whoever adds one person wants to play them; whoever adds several goes on as before.
    if (all === 1) { await refresh(); play(added.id); }
  });
});
document.getElementById("reset").addEventListener("click", async () => {
  if (await ask.reset()) attempt("reset", {});
});
narrow.addEventListener("change", drawPeople);
document.getElementById("switch").addEventListener("scroll", pointToNews);
look(recall("view") ?? "group");
setInterval(() => { drawClock(); group.tick(); own.tick(); }, 1000);
load();
