// Makes a query say which whole names it has: the search takes each word for the beginning of one,
// so that a longer and rarer name comes before the name itself. The pages of records are tagged
// with their names, in one word each. Of a sentence, words that begin too many names are left out,
// and code that writes or reads a part of a tensor stands for its method. Without this script the
// search finds what the words begin.
(() => {
  const QUERY = 2; // the type of the message that asks the search's worker
  const WEIGHT = 10;
  const SENTENCE = 4; // words
  const NODE = "n0"; // what the tag of a node type begins with, so that names of ops do not find it
  const WRITES = /^[\w.]+\[.*\]\s*[-+*/@%&|^]{0,2}=(?!=)/;
  const READS = /^[\w.]+\[.*\]$/;
  const OWN = /^[+-]|["^~*]|\b(title|text|tags):/; // the search's own language
  const PARTS = /[\s\-,:!=[\]()"`/]+/;
  const STOP = new Set(
    (
      "the and are was were has have had been does did can could may might must should would will " +
      "its this that these those which what when where why how who whose with without from for " +
      "into onto than then them they there here not only also any all one two some such very " +
      "you your about after before because but nor yet per via"
    ).split(" "),
  );

  const isName = (word) => /[a-z\d][A-Z]|[a-zA-Z]\d|\w_\w|[a-z]_$|^(torch|nn|F)\.\w/.test(word);
  const last = (word) => word.replace(/\(.*$/, "").replace(/^.*(\.|::)(?=\w)/, "");
  const compact = (word) => last(word).replace(/[^\p{L}\d]/gu, "").toLowerCase();
  const whole = (name) => [
    `tags:${name}^${WEIGHT}`,
    `tags:${NODE}${name.replace(/\d+$/, "")}^${WEIGHT}`,
  ];
  const inText = (word) => [`title:${word}`, `text:${word}`];

  function asked(query) {
    const text = query.trim();
    if (WRITES.test(text)) return asked("setitem");
    if (READS.test(text)) return asked("getitem");
    if (!text || OWN.test(text)) return query;
    const words = text.split(/\s+/);
    const name = compact(words.join(""));
    if (words.length === 1) return [text, ...(name ? [`tags:${name}`, ...whole(name)] : [])].join(" ");
    const parts = text.split(PARTS).filter(Boolean);
    const names = words.filter(isName).map(compact).filter((one) => one.length > 2);
    if (words.length < SENTENCE)
      return [...parts.flatMap(inText), `tags:${name}`, ...[name, ...names].flatMap(whole)].join(" ");
    const told = parts.filter((word) => !/^[a-z]{1,2}$/i.test(word) && !STOP.has(word.toLowerCase()));
    return [...(told.length ? told : parts).flatMap(inText), ...names.flatMap(whole)].join(" ");
  }

  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const question = message?.type === QUERY && typeof message.data === "string";
    return send.call(this, question ? { ...message, data: asked(message.data) } : message, ...rest);
  };
})();
