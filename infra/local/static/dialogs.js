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
  // New people's names, for `add` to bring them in one by one. Those suggested are there to be taken or written over.
  // A name with which nobody can come stays there, and whoever was to come after it, with the reason why.
  names(suggested, add) {
    const dialog = find("add-dialog");
    const line = find("add-names");
    const why = find("add-why");
    line.value = suggested.join(", ");
    line.select();
    why.textContent = "";
    find("add-cancel").onclick = () => dialog.close();
    dialog.querySelector("form").onsubmit = async (event) => {
      event.preventDefault();
      if (dialog.ariaBusy) return;
      dialog.ariaBusy = "true";
      const names = line.value.split(",").map((name) => name.trim()).filter(Boolean);
      const all = names.length;
      try {
        while (names.length) {
          await add(names[0], all);
          names.shift();
        }
        dialog.close();
      } catch (error) {
        line.value = names.join(", ");
        why.textContent = error instanceof api.NotPossible ? error.message : "The table does not answer.";
        line.focus();
      } finally {
        dialog.ariaBusy = null;
      }
    };
    return open(dialog);
  },
  async reset() {
    return (await open(find("reset-dialog"))) === "reset";
  },
};

export const show = {
  // A picture larger than in its chat.
  picture(address, words) {
    const large = find("picture");
    large.src = address;
    large.alt = words;
    return open(find("picture-dialog"));
  },
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
