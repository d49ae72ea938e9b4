// Lets the reader put sizes into the formula of a page. The formula comes as steps for a machine
// with a stack, so that nothing here runs text as code; whole numbers are BigInt, so that bytes
// stay exact. Without this script the formula stands on the page as text.
(() => {
  const form = document.getElementById("tk-calculator");
  if (!form) return;

  const formula = JSON.parse(form.dataset.formula);
  const out = (name) => form.querySelector(`[data-total="${name}"]`);
  const said = form.querySelector(".tk-said");
  const LARGEST = 10n ** 12n;

  const floor = (left, right) => {
    if (right === 0n) throw new RangeError("a size divides by zero");
    const whole = left / right;
    return left % right !== 0n && left < 0n !== right < 0n ? whole - 1n : whole;
  };
  const APPLY = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "**": (left, right) => left ** right,
    "//": floor,
    "%": (left, right) => left - right * floor(left, right),
    min: (left, right) => (left < right ? left : right),
    max: (left, right) => (left > right ? left : right),
    "==": (left, right) => BigInt(left === right),
    "!=": (left, right) => BigInt(left !== right),
    "<": (left, right) => BigInt(left < right),
    "<=": (left, right) => BigInt(left <= right),
    ">": (left, right) => BigInt(left > right),
    ">=": (left, right) => BigInt(left >= right),
  };

  function evaluate(steps, sizes) {
    const stack = [];
    for (const step of steps) {
      if (typeof step === "number") stack.push(BigInt(step));
      else if (Object.hasOwn(APPLY, step)) {
        const right = stack.pop();
        stack.push(APPLY[step](stack.pop(), right));
      } else stack.push(sizes[step]);
    }
    return stack.pop();
  }

  function given() {
    const sizes = {};
    for (const input of form.querySelectorAll("input[data-size]")) {
      const text = input.value.trim();
      if (!/^[0-9]{1,13}$/.test(text) || BigInt(text) < 1n || BigInt(text) > LARGEST) {
        throw new RangeError(`${input.dataset.size} must be a whole number from 1 to 10¹²`);
      }
      sizes[input.dataset.size] = BigInt(text);
    }
    for (const [name, steps] of formula.computed) sizes[name] = evaluate(steps, sizes);
    for (const [text, steps] of formula.where) {
      if (!evaluate(steps, sizes)) throw new RangeError(`the formula holds only where ${text}`);
    }
    for (const [text, steps] of formula.refuses) {
      if (!evaluate(steps, sizes)) throw new RangeError(`the call raises unless ${text}`);
    }
    const negative = formula.computed.find(([name]) => sizes[name] < 0n);
    if (negative) throw new RangeError(`no call has these sizes: ${negative[0]} would be below 0`);
    return sizes;
  }

  function totals() {
    const sizes = given();
    const items = formula.itemsizes[form.elements.dtype?.value ?? Object.keys(formula.itemsizes)[0]];
    const kept = formula.masks[form.elements.mask?.value ?? Object.keys(formula.masks)[0]];
    const sums = { logical: 0n, storage: 0n, extra: 0n };
    const counted = new Set();
    for (const place of kept) {
      const item = BigInt(items[place]);
      sums.logical += evaluate(formula.elements[place], sizes) * item;
      const number = formula.storage[place];
      if (counted.has(number)) continue;
      counted.add(number);
      const [steps, extra] = formula.storages[number];
      const bytes = evaluate(steps, sizes) * item;
      sums.storage += bytes;
      if (extra) sums.extra += bytes;
    }
    return sums;
  }

  function rounded(bytes) {
    const units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let size = Number(bytes);
    let unit = 0;
    while (size >= 1024 && unit < units.length - 1) {
      size /= 1024;
      unit += 1;
    }
    return unit ? ` (${size.toPrecision(size < 100 ? 3 : 4).replace(/\.?0+$/, "")} ${units[unit]})` : "";
  }

  function show() {
    let sums;
    try {
      sums = totals();
      said.textContent = "";
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      said.textContent = `${error.message}.`;
    }
    for (const name of ["logical", "storage", "extra"]) {
      out(name).textContent = sums ? `${sums[name].toLocaleString("en")}${rounded(sums[name])}` : "–";
    }
  }

  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
