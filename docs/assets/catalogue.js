// Filters and sorts the catalogue's table. Without this script the whole table is readable; with
// it, rows past the first 200 that match are hidden until asked for. The address holds the state.
(() => {
  const table = document.getElementById("tk-catalogue");
  if (!table) return;

  const SHOWN = 200;
  const form = document.getElementById("tk-filters");
  const count = document.getElementById("tk-count");
  const more = document.getElementById("tk-more");
  const body = table.tBodies[0];
  const headers = [...table.querySelectorAll("th[data-key]")];
  const names = ["text", "kind", "saved", "ns", "state"];

  const rows = [...body.rows].map((element, place) => ({
    element,
    place,
    text: `${element.cells[1].textContent} ${element.cells[3].textContent}`.toLowerCase(),
    name: element.cells[1].textContent,
    kind: element.cells[0].textContent,
    ns: element.dataset.ns,
    state: element.dataset.state,
    saved: element.dataset.saved,
    classes: [...element.cells[2].querySelectorAll(".tk-chip")].map((chip) => chip.textContent),
    storage: Number(element.dataset.storage),
    extra: Number(element.dataset.extra),
  }));

  let all = false;
  let sort = "";

  const keeps = (row, wanted) =>
    wanted.startsWith("has-") ? row.classes.includes(wanted.slice(4)) : row.saved === wanted;

  function matching(wanted) {
    const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter(
      (row) =>
        words.every((word) => row.text.includes(word)) &&
        (!wanted.kind || row.kind === wanted.kind) &&
        (!wanted.saved || keeps(row, wanted.saved)) &&
        (!wanted.ns || row.ns === wanted.ns) &&
        (!wanted.state || row.state === wanted.state),
    );
  }

  function order(found) {
    const key = sort.replace(/^-/, "");
    if (!key) return found;
    const sign = sort.startsWith("-") ? -1 : 1;
    return found.sort((one, other) => {
      const difference =
        typeof one[key] === "number" ? one[key] - other[key] : one[key].localeCompare(other[key]);
      return difference ? sign * difference : one.place - other.place;
    });
  }

  function show() {
    const wanted = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
    const found = order(matching(wanted));
    const visible = new Set(all ? found : found.slice(0, SHOWN));
    for (const row of rows) row.element.hidden = !visible.has(row);
    if (sort || body.dataset.sorted) {
      body.append(...(sort ? found : rows).map((row) => row.element));
      body.dataset.sorted = sort;
    }
    const total = rows.length.toLocaleString("en");
    count.textContent = `${found.length.toLocaleString("en")} of ${total}`;
    more.hidden = visible.size === found.length;
    more.textContent = `Show all ${found.length.toLocaleString("en")}`;
    for (const header of headers) {
      const key = header.dataset.key;
      if (sort === key) header.setAttribute("aria-sort", "ascending");
      else if (sort === `-${key}`) header.setAttribute("aria-sort", "descending");
      else header.removeAttribute("aria-sort");
    }
    remember(wanted);
  }

  function remember(wanted) {
    const query = new URLSearchParams();
    for (const name of names) if (wanted[name]) query.set(name, wanted[name]);
    if (sort) query.set("sort", sort);
    const text = query.toString();
    history.replaceState(null, "", (text ? `?${text}` : location.pathname) + location.hash);
  }

  function recall() {
    const query = new URLSearchParams(location.search);
    for (const name of names) if (query.has(name)) form.elements[name].value = query.get(name);
    const wanted = query.get("sort") ?? "";
    const known = headers.some((header) => header.dataset.key === wanted.replace(/^-/, ""));
    sort = known ? wanted : "";
  }

  for (const header of headers) {
    const key = header.dataset.key;
    const numeric = header.classList.contains("tk-number");
    header.querySelector("button").addEventListener("click", () => {
      const turns = numeric ? [`-${key}`, key, ""] : [key, `-${key}`, ""];
      sort = turns[(turns.indexOf(sort) + 1) % turns.length];
      show();
    });
  }
  form.addEventListener("input", () => {
    all = false;
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    all = false;
    sort = "";
    setTimeout(show);
  });
  more.addEventListener("click", () => {
    all = true;
    show();
  });

  form.hidden = false;
  recall();
  show();
})();
