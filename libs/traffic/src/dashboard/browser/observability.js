/* Draws the dashboard's charts and keeps its figures up to date. The page is complete without it. */
'use strict';
(() => {
  const root = document.querySelector('.traffic[data-stream]');
  if (!root) return;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  /** Figures are fetched at most this often (ms), however much happens, and at least so often, though nothing does. */
  const [PAUSE, LONGEST] = [3_000, 60_000];
  /** How long (ms) a choice stands before it is shown. */
  const CHOOSING = 250;
  const { draw } = window.trafficCharts(root);
  const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

  let updatedAt = performance.now();

  const say = (text, failed = false) => {
    const status = part('status');
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('failed', failed);
  };

  const tellAge = () => {
    const seconds = Math.floor((performance.now() - updatedAt) / 1_000);
    part('updated').textContent = seconds < 1 ? 'Atualizado agora' : `Atualizado há ${number.format(seconds)} s`;
    // The window moves on though nobody calls, and the stream may be full or cut.
    if (seconds * 1_000 >= LONGEST) refreshSoon();
  };

  /** What can be reached by the keyboard or scrolled among the figures, and what each is called. */
  const places = () => [...part('figures').querySelectorAll('a, summary, .scrolls')];
  const nameOf = (place) => place.getAttribute('aria-label') ?? place.textContent;

  /** What is open, scrolled to or has the focus stays so while the figures change beneath. */
  const replaceFigures = (fresh) => {
    const open = new Set(
      places()
        .filter((one) => one.parentElement.open)
        .map(nameOf),
    );
    const focused = places().find((one) => one === document.activeElement);
    const scrolled = new Map(places().map((one) => [nameOf(one), [one.scrollLeft, one.scrollTop]]));
    part('figures').replaceChildren(...fresh.childNodes);
    for (const one of places()) {
      if (one.matches('summary') && open.has(nameOf(one))) one.parentElement.open = true;
      const [left = 0, top = 0] = scrolled.get(nameOf(one)) ?? [];
      if (left || top) one.scrollTo(left, top);
      if (focused && nameOf(one) === nameOf(focused)) one.focus({ preventScroll: true });
    }
  };

  /** What may be chosen depends on the period; nothing changes under whoever is choosing. */
  const replaceChoices = (page, isAsked) => {
    for (const select of part('picker').querySelectorAll('select')) {
      if (!isAsked && select === document.activeElement) continue;
      const fresh = page.getElementById(select.id);
      const { value } = fresh;
      select.replaceChildren(...fresh.children);
      select.value = value;
    }
  };

  let loading = 0;
  /** Fetches the page of a period and shows its figures; a later one overtakes it. */
  const load = async (address, { isAsked }) => {
    const turn = ++loading;
    const figures = part('figures');
    figures.setAttribute('aria-busy', String(isAsked));
    if (isAsked) say('Carregando…');
    try {
      const response = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-cache' });
      if (!response.ok) throw new Error(String(response.status));
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (turn !== loading) return;
      replaceFigures(page.querySelector('[data-part="figures"]'));
      replaceChoices(page, isAsked);
      updatedAt = performance.now();
      tellAge();
      draw();
      say('');
    } catch {
      if (turn === loading) say('Não foi possível atualizar. Os números abaixo são os últimos que chegaram.', true);
    } finally {
      if (turn === loading) figures.removeAttribute('aria-busy');
    }
  };

  const picker = part('picker');
  const show = (address) => {
    history.pushState(null, '', address);
    void load(address, { isAsked: true });
  };
  const addressOf = () => {
    const chosen = [...new FormData(picker)].filter(([, value]) => value !== '');
    return `/observability?${new URLSearchParams(chosen).toString()}`;
  };
  picker.addEventListener('submit', (event) => {
    event.preventDefault();
    show(addressOf());
  });
  // What is chosen is shown at once, or when whoever goes through the choices by the keyboard has stopped.
  part('apply').hidden = true;
  let chosen = null;
  picker.addEventListener('change', () => {
    loading += 1;
    clearTimeout(chosen);
    chosen = setTimeout(() => show(addressOf()), CHOOSING);
  });
  root.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-filter]');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link.href);
  });
  addEventListener('popstate', () => void load(location.href, { isAsked: true }));

  const print = part('print');
  print.hidden = false;
  print.addEventListener('click', () => window.print());

  let due = null;
  const refreshSoon = () => {
    due ??= setTimeout(() => {
      due = null;
      // Somebody reads a value off a chart: the lines move on when the pointer has left.
      if (root.querySelector('.u-over:hover')) refreshSoon();
      else if (!document.hidden) void load(location.href, { isAsked: false });
    }, PAUSE);
  };
  const live = new EventSource(root.dataset.stream);
  // It comes back by itself; whether the service is gone, or back, the page is the first to say.
  for (const event of ['traffic', 'open', 'error']) live.addEventListener(event, refreshSoon);
  document.addEventListener('visibilitychange', refreshSoon);

  let resized = null;
  addEventListener('resize', () => {
    clearTimeout(resized);
    resized = setTimeout(draw, 150);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  setInterval(tellAge, 1_000);
  tellAge();
  draw();
})();
