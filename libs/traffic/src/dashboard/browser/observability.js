/* The dashboard of agent traffic: draws the charts, keeps the figures up to date, and tells how old they are. The page is
   complete without it; what it draws, it reads from the page's own table. */
'use strict';
(() => {
  const root = document.querySelector('.traffic[data-stream]');
  if (!root) return;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const ZONE = 'America/Sao_Paulo';
  /** Figures are fetched at most this often (ms), however much happens, and at least so often, though nothing does. */
  const [PAUSE, LONGEST] = [3_000, 60_000];
  const time = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, day: '2-digit', month: '2-digit' });
  const moment = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' });
  const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

  let charts = [];
  let updatedAt = performance.now();

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const say = (text, failed = false) => {
    const status = part('status');
    if (status.textContent !== text) status.textContent = text;
    status.classList.toggle('failed', failed);
  };

  /** The series as the table has it: a column of starts in seconds, and one for each figure. */
  const readSeries = () => {
    const rows = [...root.querySelectorAll('[data-part="series"] tbody tr')];
    const starts = rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1_000);
    const figure = (place) =>
      rows.map((row) => {
        const { value } = row.querySelectorAll('data')[place];
        return value === '' ? null : Number(value);
      });
    return { starts, figures: [0, 1, 2, 3, 4, 5, 6].map(figure) };
  };

  const draw = () => {
    for (const one of charts) one.destroy();
    const { starts, figures } = readSeries();
    const isLong = starts.length > 1 && starts.at(-1) - starts[0] > 2 * 86_400;
    const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
    const line = (label, place, stroke, dash = [], border = 'solid') => ({
      border,
      label,
      stroke: colour(stroke),
      width: 2,
      dash,
      points: { show: starts.length < 3 },
      value: (_, value) => (value === null ? '–' : number.format(value)),
      figure: figures[place],
    });
    const isEmpty = figures[0].every((calls) => calls === 0);
    const chart = (name, scale, lines) => {
      const place = root.querySelector(`[data-chart="${name}"]`);
      place.closest('[data-part="chart"]').hidden = isEmpty;
      const options = {
        width: place.clientWidth,
        height: 240,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), ZONE),
        scales: { y: scale },
        legend: { markers: { dash: (_, place) => lines[place - 1]?.border ?? 'solid' } },
        series: [
          { label: 'Início', value: (_, seconds) => (seconds === null ? '–' : moment.format(seconds * 1_000)) },
          ...lines,
        ],
        axes: [
          {
            ...axis,
            space: 70,
            values: (_, seconds) => seconds.map((one) => (isLong ? day : time).format(one * 1_000)),
          },
          { ...axis, size: 64, values: (_, values) => values.map((one) => (one === null ? '' : number.format(one))) },
        ],
      };
      return new uPlot(options, [starts, ...lines.map(({ figure }) => figure)], place);
    };
    charts = [
      chart('calls', { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] }, [
        line('Chamadas', 0, '--accent'),
        line('Recusas', 1, '--ink', [8, 4], 'dashed'),
        line('Limites', 2, '--soft', [3, 3], 'dotted'),
        line('Falhas', 3, '--warn', [6, 4], 'dashed'),
      ]),
      // From under a millisecond to seconds: on an even scale the usual would lie on the ground.
      chart('latencies', { distr: 3 }, [
        line('p50', 4, '--accent'),
        line('p95', 5, '--ink', [8, 4], 'dashed'),
        line('p99', 6, '--warn', [3, 3], 'dotted'),
      ]),
    ];
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
    const isOpen = root.querySelector('.series').open;
    const focused = places().find((one) => one === document.activeElement);
    const scrolled = new Map(places().map((one) => [nameOf(one), [one.scrollLeft, one.scrollTop]]));
    part('figures').replaceChildren(...fresh.childNodes);
    root.querySelector('.series').open = isOpen;
    for (const one of places()) {
      const [left = 0, top = 0] = scrolled.get(nameOf(one)) ?? [];
      if (left || top) one.scrollTo(left, top);
      if (focused && nameOf(one) === nameOf(focused)) one.focus({ preventScroll: true });
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
  const addressOf = () => `/observability?${new URLSearchParams(new FormData(picker)).toString()}`;
  picker.addEventListener('submit', (event) => {
    event.preventDefault();
    show(addressOf());
  });
  addEventListener('popstate', () => {
    const asked = new URLSearchParams(location.search).get('periodo') ?? '24h';
    picker.elements.periodo.value = asked;
    void load(location.href, { isAsked: true });
  });

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
