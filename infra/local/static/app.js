// The page as a whole: which chats there are, who is played, what happens.

import * as api from "./api.js";
import * as clock from "./clock.js";
import { ask, show } from "./dialogs.js";
import { arrange, write } from "./inplace.js";
import { keep, recall } from "./memory.js";
import { bare, name, tellApart } from "./names.js";
import { Pane } from "./pane.js";
import "./presses.js";

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
const presses = new Map(); // by query id: who pressed, and what to do when the button waits no longer
const waiting = new WeakMap(); // by button: how many of its presses wait for their answers
const early = new Map(); // answers that came before the page knew their query's id
let me = Number(recall("me"));
let stream = null;
let loads = 0;
let refreshed = Promise.resolve();

const group = new Pane(document.getElementById("group"), doings(() => table.group.id));
const own = new Pane(document.getElementById("private"), doings(() => me));
const tabs = document.getElementById("switch");

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
  const user = me;
  const over = wait(key);
  const where = { chat: message.chat.id, message: message.message_id };
  const done = await attempt("press", { user, ...where, data: button.callback_data });
  if (done === null) return over();
  presses.set(done.query, { over, user });
  setTimeout(over, 15000);
  if (early.has(done.query)) answered(early.get(done.query));
}

// The button is busy until the last of its presses is over. Returns what to call when this one is.
function wait(key) {
  const add = (count) => {
    const left = (waiting.get(key) ?? 0) + count;
    waiting.set(key, left);
    if (left) key.setAttribute("aria-busy", "true");
    else key.removeAttribute("aria-busy");
  };
  let isOver = false;
  add(1);
  return () => {
    if (!isOver) add(-1);
    isOver = true;
  };
}

function answered(answer) {
  const press = presses.get(answer.query);
  if (!press) return early.set(answer.query, answer);
  presses.delete(answer.query);
  early.delete(answer.query);
  press.over();
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
  group.toEnd();
  own.toEnd();
  showWhoIsPlayed();
}

// Go to a chat: the group, or the private chat of somebody, who is played from then on.
function view(chat) {
  look(chat === table.group.id ? "group" : "private");
  if (chat !== table.group.id && chat !== me) play(chat);
  unread.delete(chat);
  drawPeople();
  paneOf(chat).toEnd();
  showWhoIsPlayed();
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
  const people = table.people.map(({ id, name: title }) => ({ id, title }));
  const all = [{ id: table.group.id, title: table.group.title }, ...people];
  drawChips(tabs, all, document.body.dataset.view === "group" ? table.group.id : me, view);
  drawChips(own.people, people, me, view);
  drawChips(group.people, people, me, play);
  pointToNews();
}

// Where there are more people than room. Only what the reader does moves the rows.
function showWhoIsPlayed() {
  for (const row of [tabs, group.people]) row.querySelector("[aria-pressed=true]")?.scrollIntoView(NEAREST);
}

// Which way to the tabs with news that a small screen does not show.
function pointToNews() {
  const { left, right } = tabs.getBoundingClientRect();
  const badges = [...tabs.querySelectorAll(".badge:not([hidden])")];
  const news = badges.map((badge) => badge.parentElement.getBoundingClientRect());
  tabs.classList.toggle("news-before", news.some((at) => at.left < left));
  tabs.classList.toggle("news-after", news.some((at) => at.right > right));
}

// `chips`: id and title of each. Chosen, one calls `choose(id)`. Tabs count what is new.
function drawChips(row, chips, current, choose) {
  const nodes = arrange(row, chips.map(({ id }) => ({ key: id, make: () => chip(id, choose) })));
  chips.forEach(({ id, title }, at) => {
    const [called, badge] = nodes[at].children;
    const now = name(title, id);
    if (called.textContent !== now.textContent) called.replaceWith(now);
    nodes[at].setAttribute("aria-pressed", String(id === current));
    const count = choose === view ? unread.get(id) ?? 0 : 0;
    badge.hidden = count === 0;
    write(badge, count ? String(count) : "");
    badge.setAttribute("aria-label", `${count} unread`);
  });
}

function chip(id, choose) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = "chip";
  const badge = document.createElement("span");
  badge.className = "badge";
  node.append(document.createElement("bdi"), badge);
  node.addEventListener("click", () => {
    choose(id);
    node.focus({ preventScroll: true });
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
  user: renew,
  commands: renew,
  clock(time) { clock.set(time); drawClock(); },
  reset() { look("group"); return load(); },
};

function renew() {
  refresh().catch(load);
}

// One at a time, so that none ends with less than an earlier one knew.
function refresh() {
  refreshed = refreshed.catch(() => {}).then(update);
  return refreshed;
}

async function update() {
  const turn = loads;
  const state = await api.state();
  if (turn !== loads) return; // what has been loaded since is newer
  if (state.group.id !== table.group.id) return load();
  Object.assign(table, { people: state.people, newcomers: state.newcomers, commands: state.commands });
  tellApart(table.people);
  drawPeople();
  showGroup();
  showPrivate();
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
const label = document.createElement("span");
label.className = "people-label";
label.textContent = "You are";
group.people.prepend(label);
group.people.setAttribute("aria-label", "Who speaks and presses in the group");
own.people.setAttribute("aria-label", "Whose private chat");
narrow.addEventListener("change", () => { showWhoIsPlayed(); pointToNews(); });
tabs.addEventListener("scroll", pointToNews);
look(recall("view") ?? "group");
setInterval(() => { drawClock(); group.tick(); own.tick(); }, 1000);
load();
