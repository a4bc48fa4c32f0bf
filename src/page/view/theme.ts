/** Light and dark follow the system; the button overrides it, and the browser remembers that. */
const KEY = "mailflow-theme";

export function applyKeptTheme(): void {
  const kept = localStorage.getItem(KEY);
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
}

export function switchTheme(): void {
  const now =
    document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem(KEY, next);
}
