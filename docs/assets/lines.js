// Programs that pages show on demand: lines that many of them share are a link to a file. They are put
// in the link's place when the program is opened, so that it is read and copied whole.
(() => {
  async function put(link) {
    const answer = await fetch(link.href);
    if (answer.ok) link.replaceWith(await answer.text());
  }

  for (const program of document.querySelectorAll("details:has(.tk-lines)"))
    program.addEventListener("toggle", () => {
      for (const link of program.querySelectorAll(".tk-lines")) put(link).catch(() => {});
    }, { once: true });
})();
