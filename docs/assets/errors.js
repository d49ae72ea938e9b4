// Explains a pasted error message, as `tapekept explain` does: which facts hold for which name is
// decided where the site is built, and comes as a file. Without this script the page is a list of
// messages.
(() => {
  const form = document.getElementById("tk-explain");
  if (!form) return;

  const { root } = form.dataset;
  const box = form.elements.message;
  const result = document.getElementById("tk-explained");
  let known = null;

  const make = (tag, content = [], attributes = {}) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...[content].flat());
    return element;
  };
  const fill = (text, ...values) => text.replace(/\{\}/g, () => values.shift());
  const bare = (name) => name.replace(/^torch::(\w+::)*/i, "");
  // The name as a release spells it, where all of the message is in upper or in lower case.
  const spelled = (name, names, text) => {
    const oneCase = text === text.toUpperCase() || text === text.toLowerCase();
    if (!oneCase || names.includes(name)) return name;
    return names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  };

  function parts(text) {
    const found = text.match(new RegExp(known.check, "i"));
    if (found) {
      const { type, shape, number, name, now, then } = found.groups;
      return {
        type: type?.toLowerCase() ?? "",
        shape: shape === undefined ? null : (shape.match(/\d+/g) ?? []),
        number: Number(number ?? 0),
        name: name === undefined ? null : bare(name),
        writes: then === undefined ? null : now - then,
        saver: text.match(new RegExp(known.anomaly, "i"))?.[1],
      };
    }
    const part = text.match(new RegExp(known.named));
    if (!part || text.toLowerCase().includes("is a view")) return null;
    const { number, name } = part.groups;
    return { type: "", shape: null, number: Number(number), name: bare(name), writes: null };
  }

  function* facts(read) {
    const { texts } = known;
    const kind = Object.keys(known.types).find((one) => read.type.includes(one));
    if (kind) yield ["the tensor", fill(texts.integer, known.types[kind])];
    else if (read.name === null && read.writes !== null) yield ["the tensor", texts.rootless];
    const [node, called, places] = known.names[read.name] ?? [null, "", []];
    if (node) {
      for (const [label, text] of known.facts[places[read.number] ?? places[0]])
        yield [label, text.replaceAll("{}", called)];
    } else if (read.name !== null) {
      const [having, newest] = known.others.find(([, , names]) => names.includes(read.name)) ?? [];
      const text = new RegExp(known.numbered).test(read.name) ? texts.unmeasured : texts.foreign;
      yield [
        "it names",
        having
          ? fill(texts.other, read.name, having, known.release, newest)
          : fill(text, read.name),
      ];
    }
    if (known.turned.includes(node) && read.shape?.length === 2)
      yield ["its shape", fill(texts.weight, ...[...read.shape].reverse())];
    if (read.shape?.length === 0) yield ["its shape", texts.single];
    yield [known.who, read.saver ? fill(texts.saver, read.saver) : texts.finding];
    yield known.last;
  }

  function explain(text) {
    for (const [words, meaning, remedy, shown] of known.complaints) {
      if (!new RegExp(words, "i").test(text)) continue;
      const named = text.match(new RegExp(known.function, "i"))?.[1];
      const node = named && spelled(named, Object.keys(known.names), text);
      return {
        answer: meaning,
        facts: [["what helps", remedy]],
        shown: [shown],
        node: known.names[node]?.[0],
      };
    }
    const read = parts(text);
    if (!read) return null;
    const names = Object.keys(known.names);
    if (read.saver) read.saver = spelled(bare(read.saver), names, text);
    if (read.name !== null) {
      read.name = spelled(read.name, names, text);
      if (!known.names[read.name])
        read.name = spelled(read.name, known.others.flatMap(([, , each]) => each).sort(), text);
    }
    const { writes, shape } = read;
    const what = shape === null ? "" : ` of shape ${shape.join(" × ") || "()"}`;
    const often = writes === null ? "" : writes === 1 ? " once" : ` ${writes} times`;
    const node = known.names[read.name]?.[0];
    const answer = fill(known.texts.answer, what, often);
    return { answer, facts: [...facts(read)], shown: known.shown, node };
  }

  function show(told) {
    if (told === null) {
      result.replaceChildren(make("p", "No error that is known here: look for its words below."));
      return;
    }
    const first = told.answer[0].toUpperCase() + told.answer.slice(1);
    const listed = told.facts.map(([label, text]) =>
      make("li", [make("strong", label), `: ${text}`]),
    );
    const said = (path) => path.replace("guides/", "").replace(/\/#?/, ": ").replaceAll("-", " ");
    const links = told.shown.map((path) => make("a", said(path), { href: root + path }));
    if (told.node) links.unshift(make("a", told.node, { href: `${root}nodes/${told.node}/` }));
    result.replaceChildren(
      make("p", make("strong", `${first}.`)),
      make("ul", listed),
      make(
        "p",
        links.flatMap((one, place) => (place ? [", ", one] : [one])),
        { class: "tk-source" },
      ),
    );
  }

  const plain = () => box.value.trim().replace(/\s+/g, " ");

  async function changed() {
    const text = plain();
    if (!text) {
      result.replaceChildren();
      return;
    }
    known ??= await (await fetch(`${root}downloads/errors.json`)).json();
    if (text === plain()) show(explain(text));
  }

  form.hidden = false;
  box.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
})();
