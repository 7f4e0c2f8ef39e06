// Runs before the page is drawn, so that it does not flash in the other colours.
try {
  const theme = localStorage.getItem("isomatch.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's colours.
}
document.documentElement.classList.add("scripted");
