// A release's page among those of all others. Which releases there are, `versions.json` beside their
// folders says, and which of them has which page, `pages.json`: both are newer than this page may be.
(() => {
  const config = document.getElementById("__config");
  if (!config) return;
  const release = new URL(`${JSON.parse(config.textContent).base}/`, location.href);
  const name = release.pathname.split("/").at(-2);
  const page = location.pathname.slice(release.pathname.length).replace(/index\.html$/, "");
  const rest = () => location.search + location.hash;
  const read = async (file) => (await fetch(new URL(`../${file}`, release))).json();

  // Another release, chosen in the header, opens at the same page and section; where it lacks the
  // page, at its page for what is missing, which says where to find it.
  async function address(chosen) {
    try {
      const listed = await read("pages.json");
      const path = decodeURIComponent(page);
      const having = (listed.sets[listed.pages[path]] ?? []).map((place) => listed.releases[place]);
      if (!having.includes(chosen.pathname.split("/").at(-2)))
        return new URL(`404.html?page=${encodeURIComponent(path)}`, chosen);
    } catch {
      // Without the list, the address itself tells.
    }
    return new URL(page + rest(), chosen);
  }

  document.addEventListener(
    "click",
    async (event) => {
      const link = event.target.closest?.(".md-version__link");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      location.assign(await address(new URL(link.href)));
    },
    true,
  );

  // A page of a release that is not the newest says so.
  async function tellNewest() {
    const newest = (await read("versions.json"))[0].version;
    const place = document.querySelector("[data-md-component=outdated]");
    if (!place || name === newest) return;
    const link = document.createElement("a");
    link.href = new URL(`../latest/${page}`, release).href;
    link.textContent = "this page there";
    const text = document.createElement("div");
    text.className = "md-banner__inner md-grid md-typeset";
    text.append(`This is PyTorch ${name}. The newest release here is ${newest}: `, link, ".");
    const banner = document.createElement("aside");
    banner.className = "md-banner";
    banner.append(text);
    place.append(banner);
    place.hidden = false;
  }

  tellNewest().catch(() => {});
})();
