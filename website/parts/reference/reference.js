// The search of the reference: it leaves, of the list of all names, those that were asked for.
const field = document.querySelector("#q");
const found = document.querySelector("#found");
const rest = document.querySelectorAll("[data-unless-searched]");
const names = [...document.querySelectorAll(".names li")].map((row) => {
  const name = row.querySelector("code").textContent.toLowerCase();
  return { row, name, short: name.slice(name.lastIndexOf(".") + 1), text: row.textContent.toLowerCase() };
});
const list = names[0].row.parentNode;

/** How well a name answers: less is better, and what does not at all is left out. */
function distance(one, words) {
  if (one.short === words) return 0;
  if (one.short.startsWith(words)) return 1;
  if (one.name.includes(words)) return 2;
  return words.split(/\s+/).every((word) => one.text.includes(word)) ? 3 : Infinity;
}

function search() {
  const words = field.value.trim().toLowerCase();
  for (const part of rest) part.hidden = words !== "";
  const ranked = names.map((one) => [words === "" ? 0 : distance(one, words), one]);
  if (words !== "") ranked.sort(([a], [b]) => a - b);
  for (const [far, { row }] of ranked) row.hidden = far === Infinity;
  list.append(...ranked.map(([, { row }]) => row));
  const many = ranked.filter(([far]) => far < Infinity).length;
  found.textContent = words === "" ? "" : many === 1 ? "1 name" : `${many} names`;
}

field.addEventListener("input", search);
field.form.addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector(".names li:not([hidden]) a")?.click();
});
field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value !== "") search();
