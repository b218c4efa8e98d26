// The page's dialogs: what it asks before it does something, and what it shows above everything else.

import * as api from "./api.js";

const find = (id) => document.getElementById(id);

function open(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}

export const ask = {
  // The new people's names; none if nobody shall come. Those suggested are there to be taken or written over.
  async names(suggested) {
    const line = find("add-names");
    line.value = suggested.join(", ");
    line.select();
    const answer = await open(find("add-dialog"));
    return answer === "add" ? line.value.split(",").map((name) => name.trim()).filter(Boolean) : [];
  },
  async reset() {
    return (await open(find("reset-dialog"))) === "reset";
  },
};

export const show = {
  alert(text) {
    find("alert-text").textContent = text;
    return open(find("alert"));
  },
  async file(document_) {
    const text = await api.fileText(document_.file_id);
    find("file-title").textContent = document_.file_name;
    find("file-text").textContent = pretty(text);
    return open(find("file-dialog"));
  },
};

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
