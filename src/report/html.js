// SPDX-License-Identifier: Apache-2.0
// What the page can do beyond being read: sorting and filtering the table of findings, evidence
// beside the line, and the choice between light and dark.
"use strict";
(function () {
  const byId = (id) => document.getElementById(id);

  // ---- light and dark ----

  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const theme = byId("theme");
  const isDark = () => (document.documentElement.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.setAttribute("aria-label", "Change between light and dark");
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  prefersDark.addEventListener("change", nameTheme);
  nameTheme();

  // ---- the table ----

  const table = byId("findings-table");

  function compare(a, b) {
    const x = Number(a), y = Number(b);
    if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    return a < b ? -1 : a > b ? 1 : 0;
  }

  function sortBy(column, header) {
    const body = table.tBodies[0];
    const falling = header.getAttribute("aria-sort") === "ascending";
    const key = (row) => row.cells[column].dataset.key || row.cells[column].textContent;
    const place = (row) => Number(row.cells[0].dataset.key);
    const rows = Array.from(body.rows);
    rows.sort((a, b) => (falling ? -1 : 1) * compare(key(a), key(b)) || place(a) - place(b));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", falling ? "descending" : "ascending");
    body.append(...rows);
  }

  function filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    byId("matches").textContent = shown + " of " + table.tBodies[0].rows.length;
  }

  if (table) {
    Array.from(table.tHead.rows[0].cells).forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = header.textContent;
      button.addEventListener("click", () => sortBy(column, header));
      header.replaceChildren(button);
    });
    const form = document.querySelector(".filter");
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    byId("filter").addEventListener("input", (event) => filter(event.target.value));
    filter("");
  }

  // ---- links into what is closed ----

  function reveal() {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
    if (target.tabIndex === -1 && target.hasAttribute("tabindex")) target.focus({ preventScroll: true });
  }
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // ---- evidence beside the line ----

  function toggleEvidence(chip) {
    const row = chip.closest(".said");
    const open = chip.getAttribute("aria-expanded") === "true";
    chip.setAttribute("aria-expanded", String(!open));
    if (open) {
      row.nextElementSibling.remove();
      return;
    }
    const more = byId(chip.getAttribute("href").slice(1)).cloneNode(true);
    more.removeAttribute("id");
    more.removeAttribute("tabindex");
    more.classList.add("evidence-here");
    row.after(more);
  }

  for (const chip of document.querySelectorAll(".said a.chip")) {
    chip.setAttribute("role", "button");
    chip.setAttribute("aria-expanded", "false");
    chip.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      toggleEvidence(chip);
    });
    chip.addEventListener("click", (event) => {
      event.preventDefault();
      toggleEvidence(chip);
    });
  }
})();
