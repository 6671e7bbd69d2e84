import { Html } from "../../lib/markup/html.js";

// In a tagged template, a bundler that keeps scripts apart from pages would replace the tag by a helper of its own.
export const LIVE_TAG = new Html('<script src="/_/live.js" defer></script>');

/**
 * Runs in the browser, on a thread's page. It leaves the thread alone while somebody edits a comment in it: what they
 * have typed would be gone.
 */
export const LIVE = `
const said = () => document.getElementById("said");
async function look() {
  if (document.hidden || said().querySelector("details[open]") !== null) return;
  const answer = await fetch(said().dataset.from);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("said");
  if (now !== null && now.dataset.version !== said().dataset.version) show(now);
}
function show(now) {
  const ids = (place) => [...place.querySelectorAll("a[id]")].map(({ id }) => id);
  const before = new Set(ids(said()));
  said().replaceWith(now);
  const fresh = ids(now).filter((id) => !before.has(id)).map((id) => document.getElementById(id).nextElementSibling);
  for (const box of fresh) box.classList.add("new");
  fresh[0]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}
async function follow() {
  // The sandbox may be stopped and started again while the page is open.
  await look().catch(() => {});
  setTimeout(follow, 500);
}
follow();
`;
