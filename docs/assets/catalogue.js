// Filters and sorts a page's one long table. Without this script the whole table is readable; with
// it, rows past the first 200 that match are hidden until asked for. The address holds the state.
// The text filter searches the columns with data-text, any other the row's data of its name, where
// `|` separates what a row has several of; columns sort by the row's data of their key.
(() => {
  const table = document.getElementById("tk-catalogue");
  if (!table) return;

  const SHOWN = 200;
  const form = document.getElementById("tk-filters");
  const count = document.getElementById("tk-count");
  const more = document.getElementById("tk-more");
  const body = table.tBodies[0];
  const headers = [...table.querySelectorAll("th[data-key]")];
  const names = [...form.elements].map((element) => element.name).filter(Boolean);
  const searched = [...table.tHead.rows[0].cells].filter((cell) => "text" in cell.dataset);

  const rows = [...body.rows].map((element, place) => ({
    element,
    place,
    text: searched.map((header) => element.cells[header.cellIndex].textContent).join(" "),
    has: Object.fromEntries(names.map((name) => [name, (element.dataset[name] ?? "").split("|")])),
  }));
  for (const row of rows) row.text = row.text.toLowerCase();

  const value = (row, header) => {
    const given = row.element.dataset[header.dataset.key];
    if (given === undefined) return row.element.cells[header.cellIndex].textContent;
    if (!header.classList.contains("tk-number")) return given;
    return given === "" ? -Infinity : Number(given); // what has no figure comes below zero
  };

  let all = false;
  let sort = "";

  function matching(wanted) {
    const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter(
      (row) =>
        words.every((word) => row.text.includes(word)) &&
        names.every((name) => name === "text" || !wanted[name] || row.has[name].includes(wanted[name])),
    );
  }

  function order(found) {
    const header = headers.find((each) => each.dataset.key === sort.replace(/^-/, ""));
    if (!header) return found;
    const sign = sort.startsWith("-") ? -1 : 1;
    const values = new Map(found.map((row) => [row, value(row, header)]));
    return found.sort((first, second) => {
      const [one, other] = [values.get(first), values.get(second)];
      const difference = typeof one === "number" ? one - other : one.localeCompare(other);
      return difference ? sign * difference : first.place - second.place;
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
