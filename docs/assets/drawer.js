// The pages of records carry the way to each section only. When the drawer of a small screen is first
// opened there, the whole list of pages is taken from the page of the section.
(() => {
  const nav = document.querySelector("[data-tk-whole]");
  const drawer = document.getElementById("__drawer");
  if (!nav || !drawer) return;

  async function fill() {
    const from = new URL(nav.dataset.tkWhole, location.href);
    const answer = await fetch(from);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const whole = page.querySelector(".md-nav--primary");
    if (!whole) return;
    for (const link of whole.querySelectorAll("a[href]"))
      link.href = new URL(link.getAttribute("href"), from).href;
    for (const image of whole.querySelectorAll("img[src]"))
      image.src = new URL(image.getAttribute("src"), from).href;
    nav.replaceWith(document.adoptNode(whole));
  }

  drawer.addEventListener("change", () => fill().catch(() => {}), { once: true });
})();
