// Compares any two releases by the published history: which records keep something else from the
// one to the other. The address names both, so that it can be sent to someone.
(() => {
  const form = document.getElementById("tk-pair");
  if (!form) return;

  const result = document.getElementById("tk-pair-result");
  const said = document.getElementById("tk-pair-said");
  const { root, release: own } = form.dataset;
  const { from, to } = form.elements;
  const [LAST, STATE, CALL, POLICY, CLAIM, STORAGE, EXTRA, NODES] = [0, 1, 2, 3, 4, 5, 6, 7];
  const LISTED = 4;
  const [NAME, ATTRIBUTES] = [2, 3];
  let history = null;

  const make = (tag, content = [], attributes = {}) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...[content].flat());
    return element;
  };
  const number = (count) => count.toLocaleString("en");
  const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
  const code = (text) =>
    text.split("`").map((piece, place) => (place % 2 ? make("code", piece) : piece));

  // Of a record's spans, the one that a release lies in.
  const at = (spans, place) => spans.find((span) => span[LAST] >= place);
  const state = (span) => history.texts[span[STATE]];
  const there = (span) => state(span) !== "absent";
  const place = (release) => history.releases.findIndex(([name]) => name === release);

  function link(section, name, spans, fallback) {
    const here = there(at(spans, place(own))) ? "" : `../${fallback}/`;
    return make("a", name, { href: `${root}${here}${section}/${name}/` });
  }

  function compared(section, [name, mode, call, spans], old, now) {
    const [before, after] = [at(spans, place(old)), at(spans, place(now))];
    const one = { name, call, before, after, link: null };
    if (before === after || !(there(before) || there(after))) return { ...one, kind: "same" };
    one.link = [
      link(section, name, spans, there(after) ? now : old),
      mode ? ` (${mode} mode)` : "",
      ...(call === null ? [] : [", ", ...code(call[0].toLowerCase() + call.slice(1))]),
    ];
    if (!there(before)) return { ...one, kind: "added" };
    if (!there(after)) return { ...one, kind: "removed" };
    if (before.length > CALL && after.length > CALL) {
      if (before[CALL] !== after[CALL]) return { ...one, kind: "unlike", why: "another call" };
      return { ...one, kind: before[POLICY] === after[POLICY] ? "same" : "changed" };
    }
    const conclusive = [before, after].every((span) => history.conclusive.includes(state(span)));
    if (conclusive) return { ...one, kind: state(before) === state(after) ? "same" : "changed" };
    return { ...one, kind: "unlike", why: `${state(before)} → ${state(after)}` };
  }

  const keeps = (span) => (span.length > CALL ? code(history.texts[span[CLAIM]]) : [state(span)]);
  const bytes = (span, which) => (span.length > CALL ? span[which] : 0);
  const grown = (one, which) => bytes(one.after, which) - bytes(one.before, which);

  const counted = (span) =>
    new Map(history.texts[span[NODES]].split(" ").map((each) => each.split("*")));

  // The node types of which the one graph has more than the other.
  function more(span, other) {
    const [nodes, others] = [counted(span), counted(other)];
    const found = [...nodes].filter(([type, times]) => Number(times) > Number(others.get(type) ?? 0));
    const names = found.slice(0, LISTED).flatMap(([type], place) => [
      place ? ", " : "",
      make("code", type),
    ]);
    const rest = found.length - LISTED;
    return rest > 0 ? [...names, ` and ${number(rest)} more`] : names;
  }

  // What is said of the new side where the old one says the same.
  function otherwise(one) {
    const gained = more(one.after, one.before);
    const lost = more(one.before, one.after);
    if (!gained.length && !lost.length) return ["the same, as other attributes or dtypes, or of other bytes"];
    return [
      "the same",
      ...(gained.length ? [", through more of ", ...gained] : []),
      ...(lost.length ? [", through fewer of ", ...lost] : []),
    ];
  }

  function row(one) {
    const [claim, now] = [keeps(one.before), keeps(one.after)];
    const alike = make("span", claim).textContent === make("span", now).textContent;
    const growth = grown(one, EXTRA);
    const figure = (span, which) => (span.length > CALL ? number(span[which]) : "");
    const cells = (which) => [figure(one.before, which), figure(one.after, which)];
    const between = (which) => {
      const [had, has] = cells(which);
      return had === has ? had : `${had} → ${has}`;
    };
    const numeric = { class: "tk-number" };
    return make("tr", [
      make("th", one.link, { scope: "row" }),
      make("td", claim),
      make("td", alike ? otherwise(one) : now),
      make("td", between(EXTRA), numeric),
      make("td", growth > 0 ? `+${number(growth)}` : number(growth), numeric),
      make("td", between(STORAGE), numeric),
    ]);
  }

  function table(rows, old, now) {
    const heads = ["record", `keeps in ${old}`, `keeps in ${now}`];
    const figures = ["extra bytes", "change", "storage bytes"];
    const head = [
      ...heads.map((text) => make("th", text, { scope: "col" })),
      ...figures.map((text) => make("th", text, { scope: "col", class: "tk-number" })),
    ];
    const built = make("table", [make("thead", make("tr", head)), make("tbody", rows.map(row))], {
      class: "tk-table tk-findings",
    });
    const label = `What calls keep in ${old} and in ${now}`;
    return make("div", built, { class: "tk-scroll", tabindex: "0", role: "region", "aria-label": label });
  }

  const size = (one) => [-Math.abs(grown(one, EXTRA)), -Math.abs(grown(one, STORAGE))];
  function order(one, other) {
    const [first, second] = [size(one), size(other)];
    return first[0] - second[0] || first[1] - second[1] || one.name.localeCompare(other.name);
  }

  function listed(title, each) {
    if (!each.length) return [];
    const items = each.map((one) => make("li", one));
    return [make("h2", `${title} (${number(each.length)})`), make("ul", items, { class: "tk-links" })];
  }

  function nodeTypes(old, now) {
    const found = { added: [], removed: [], renamed: [], other: [] };
    for (const spans of history.nodes) {
      const [before, after] = [at(spans, place(old)), at(spans, place(now))];
      const here = at(spans, place(own));
      const text = (span, which) => history.texts[span[which]];
      // A page is filed under the name that its own release has.
      const linked = (span, release) => {
        const there_too = there(here) && here.length > NAME && here[NAME] === span[NAME];
        const name = text(span, NAME);
        return make("a", name, { href: `${root}${there_too ? "" : `../${release}/`}nodes/${name}/` });
      };
      const [had, has] = [before, after].map((span) => span.length > NAME);
      if (before === after || !(had || has)) continue;
      if (!there(before)) found.added.push(linked(after, now));
      else if (!there(after)) found.removed.push(linked(before, old));
      else if (!(had && has)) continue;
      else if (before[NAME] !== after[NAME]) {
        found.renamed.push([`${text(before, NAME)} → `, linked(after, now)]);
      } else if (before[ATTRIBUTES] !== after[ATTRIBUTES]) found.other.push(linked(after, now));
    }
    return [
      ...listed(`Node types only in ${now}`, found.added),
      ...listed(`Node types only in ${old}`, found.removed),
      ...listed("Node types by another name", found.renamed),
      ...listed("Node types with other attributes", found.other),
    ];
  }

  // What the releases between the two changed beside what these calls keep, with the release
  // that did: whether it was changed back since is told by the command alone.
  function between(old, now) {
    const ends = [place(old), place(now)].sort((one, other) => one - other);
    const steps = history.steps
      .map((step, number_) => ({ ...step, release: history.releases[number_ + 1][0], at: number_ + 1 }))
      .filter((step) => step.at > ends[0] && step.at <= ends[1]);
    const released = (step, anchor) =>
      make("a", step.release, { href: `../${step.release}/#${anchor}` });
    const named = (field, anchor) =>
      steps.flatMap((step) =>
        step[field].map((name) => [make("code", name), " in ", released(step, anchor)]),
      );
    const worded = steps
      .filter((step) => step.errors)
      .map((step) => [`${plural(step.errors, "record")} in `, released(step, "errors")]);
    return [
      ...listed("In-place writes that ended otherwise on the way", named("writes", "writes")),
      ...listed("Errors worded otherwise on the way", worded),
      ...listed("Double backward or compiled graph changed on the way", named("backward", "backward")),
    ];
  }

  function show(old, now) {
    const all = ["ops", "modules"].flatMap((section) =>
      history[section].map((record) => compared(section, record, old, now)),
    );
    const of = (kind) => all.filter((one) => one.kind === kind);
    // A record comes and goes once, whatever is told of its calls.
    const records = (kind) => of(kind).filter((one) => one.call === null).map((one) => one.link);
    const changed = of("changed").sort(order);
    const less = changed.filter((one) => grown(one, EXTRA) < 0).length;
    const more = changed.filter((one) => grown(one, EXTRA) > 0).length;
    const concerned = new Set(changed.map((one) => one.name)).size;
    const [keep, go] = changed.length === 1 ? ["keeps", "goes"] : ["keep", "go"];
    said.textContent =
      old === now
        ? `Both are PyTorch ${now}: choose two releases.`
        : `From ${old} to ${now}, ${plural(changed.length, "call")} of ${plural(concerned, "record")} ${keep} something else or ` +
          `${go} through other nodes: ` +
          `${number(less)} with fewer extra bytes, ${number(more)} with more, ` +
          `${number(changed.length - less - more)} with the same.`;
    const parts = old === now ? [] : [
      ...(changed.length ? [make("h2", "What calls keep"), table(changed, old, now)] : []),
      ...listed(`Catalogued in ${now} only`, records("added")),
      ...listed(`Catalogued in ${old} only`, records("removed")),
      ...nodeTypes(old, now),
      ...between(old, now),
      ...listed("Not comparable", of("unlike").map((one) => [...one.link, ` (${one.why})`])),
      make("p", [
        "Everything between the two, call by call: ",
        make("code", `tapekept diff ${old} ${now}`),
        ".",
      ]),
    ];
    result.replaceChildren(...parts);
  }

  function update() {
    const query = new URLSearchParams({ from: from.value, to: to.value });
    window.history.replaceState(null, "", `?${query}${location.hash}`);
    show(from.value, to.value);
  }

  // Takes what the address names; what it names that was not measured is said, and not guessed at.
  function recall() {
    const query = new URLSearchParams(location.search);
    let unknown = null;
    for (const [name, field] of [["from", from], ["to", to]]) {
      const wanted = query.get(name);
      if (wanted === null) continue;
      if (place(wanted) < 0) unknown ??= wanted;
      else field.value = wanted;
    }
    return unknown;
  }

  function start(loaded) {
    history = loaded;
    form.hidden = false;
    document.getElementById("tk-pair-without").hidden = true;
    const unknown = recall();
    if (unknown === null) update();
    else said.textContent = `PyTorch ${unknown} was not measured. Choose two of these releases.`;
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", update);
  document.getElementById("tk-pair-swap").addEventListener("click", () => {
    [from.value, to.value] = [to.value, from.value];
    update();
  });

  fetch(`${root}downloads/history.json`)
    .then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.json();
    })
    .then(start, (problem) => {
      said.textContent =
        `The history could not be loaded (${problem.message}). Opened from a folder, a browser ` +
        "does not read it: serve the folder, or read the pages of the releases.";
    });
})();
