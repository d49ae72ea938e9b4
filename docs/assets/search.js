// Makes a query say which whole names it has: the search takes each word for the beginning of one,
// so that a longer and rarer name comes before the name itself. The pages of records are tagged
// with their names, in one word each. Of a sentence, words that begin too many names are left out,
// and code stands for what it calls: a part of a tensor that is read or written for its method, an
// operator for its op. Text that a script sets is searched like text that is typed. Without this
// script the search finds what the words begin.
(() => {
  const QUERY = 2; // the type of the message that asks the search's worker
  const WEIGHT = 10;
  const SENTENCE = 4; // words
  const NODE = "n0"; // what the tag of a node type begins with, so that names of ops do not find it
  const LAST = "w0"; // what the tag of a name's last word begins with
  const WRITES = /^[\w.]+\[.*\]\s*[-+*/@%&|^]{0,2}=(?!=)/;
  const READS = /^[\w.]+\[.*\]$/;
  const OWN = /^[+-]|["^~*]|\b(title|text|tags):/; // the search's own language
  const PARTS = /[\s\-,:!=[\]()"`/]+/;
  const OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder",
    "**": "pow", "@": "matmul", "&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor",
    "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
  };
  const OPERAND = String.raw`[\w.]+(?:\[[^\]]*\]|\([^()]*\))?`;
  // A name with a hyphen or a slash in it is no difference and no quotient: those have spaces.
  const OPERATION = new RegExp(`^${OPERAND}(?:\\s+([-+/^<>&|%@]|//|<<|>>|[=!<>]=)\\s+|\\s*(\\*\\*?)\\s*)-?${OPERAND}$`);
  const IN_PLACE = new RegExp(`^${OPERAND}\\s*([-+*/%@&|^]|\\*\\*|//|<<|>>)=\\s*-?${OPERAND}(?:\\s*[-+*/@%]+\\s*${OPERAND})*$`);
  const OPERATOR = /^([-+*/%@&|^]|\*\*|\/\/|<<|>>)=?$/;
  const NEGATED = /^-[a-z]$/i;
  const ASSIGNED = /^(?:return\s+|[\w.*]+(?:\s*,\s*[\w.*]+)*\s*=(?!=)\s*)/;
  const CALLED = /^[\w.]+\(.*\)[\w.()]*$/;
  const BY_ROW = /^(?:for\s+[\w*]+(?:\s*,\s*[\w*]+)*\s+in\s+[\w.]+\s*:?|\[.*\sfor\s.+\sin\s+[\w.]+\]|[\w*]+(?:\s*,\s*[\w*]+)+\s*=\s*[\w.]+)$/;
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

  // The names of what a piece of code calls; none where a text is no code.
  function called(text) {
    if (WRITES.test(text)) return ["setitem"];
    if (READS.test(text)) return ["getitem"];
    if (BY_ROW.test(text)) return ["unbind"];
    if (NEGATED.test(text)) return ["neg"];
    const [, between, alone] = OPERATION.exec(text) ?? [];
    const [, operator] = IN_PLACE.exec(text) ?? OPERATOR.exec(text) ?? [];
    const made = between ?? alone ?? operator;
    if (made) return [OPERATORS[made]];
    const call = text.replace(ASSIGNED, "");
    if (!/\s/.test(text) || !CALLED.test(call)) return [];
    return [...call.matchAll(/(\w+)\(/g)].map((one) => one[1]);
  }

  function asked(query) {
    const text = query.trim();
    const calls = called(text);
    if (calls.length === 1) return asked(calls[0]);
    if (calls.length) return calls.flatMap((one) => [...inText(one), ...whole(compact(one))]).join(" ");
    if (!text || OWN.test(text)) return query;
    const words = text.split(/\s+/);
    const name = compact(words.join(""));
    if (words.length === 1)
      return [text, ...(name ? [`tags:${name}`, `tags:${LAST}${name}`, ...whole(name)] : [])].join(" ");
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

  // The theme listens to keys; text is also pasted with a mouse, dictated, or set by a script.
  document.addEventListener("input", (event) => {
    const field = event.target;
    if (!field.matches?.("[data-md-component=search-query]")) return;
    if (document.activeElement !== field) field.focus();
    field.dispatchEvent(new Event("keyup"));
  });
})();
