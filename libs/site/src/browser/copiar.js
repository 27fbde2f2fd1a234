/* Copy buttons, shown only where the browser lets a page copy; each copies its own text or the one beside it. */
const SHOWN_FOR = 2_000;
const [COPIED, SELECTED, REFUSED] =
  document.documentElement.lang === 'en'
    ? ['Copied', 'Selected', 'Not allowed by the browser']
    : ['Copiado', 'Selecionado', 'O navegador não permitiu'];

for (const button of document.querySelectorAll('button[data-copy]')) {
  const code = button.parentElement.querySelector('code');
  const said = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy || code.textContent);
      button.textContent = COPIED;
    } catch {
      if (code) document.getSelection().selectAllChildren(code);
      button.textContent = code ? SELECTED : REFUSED;
    }
    setTimeout(() => {
      button.textContent = said;
    }, SHOWN_FOR);
  });
}
