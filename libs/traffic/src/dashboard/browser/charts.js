/* Draws the charts of the dashboard from the page's own table of the series. */
'use strict';
window.trafficCharts = (root) => {
  const ZONE = 'America/Sao_Paulo';
  const format = (options) => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, ...options });
  const time = format({ hour: '2-digit', minute: '2-digit' });
  const day = format({ day: '2-digit', month: '2-digit' });
  const moment = format({ dateStyle: 'short', timeStyle: 'short' });
  const number = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const straight = uPlot.paths.linear();
  /** Steps of an axis of counts. */
  const WHOLE = Array.from({ length: 27 }, (_, place) => [1, 2, 5][place % 3] * 10 ** Math.floor(place / 3));

  /** The table's series: starts (s), a column for each figure with gaps, the running interval (-1: none), half an interval (s). */
  const readSeries = () => {
    const table = root.querySelector('[data-part="series"]');
    const { dataset } = table;
    const instant = (text) => Date.parse(text) / 1_000;
    const [from, to, seconds, now] = [
      instant(dataset.from),
      instant(dataset.to),
      Number(dataset.seconds),
      instant(dataset.now),
    ];
    const starts = [];
    for (let start = from; start < to && start <= now; start += seconds) starts.push(start);
    const rows = new Map(
      [...table.querySelectorAll('tbody tr')].map((row) => [instant(row.querySelector('time').dateTime), row]),
    );
    const figures = [0, 1, 2, 3, 4, 5, 6].map((place) =>
      starts.map((start) => {
        const value = rows.get(start)?.querySelectorAll('data')[place].value ?? '';
        return value === '' ? null : Number(value);
      }),
    );
    const running = to > now ? starts.length - 1 : -1;
    return { starts, figures, running, half: seconds / 2 };
  };

  /** A line that ends before the interval that is running: what that counts so far is no fall. */
  const until = (running) => (chart, series, first, last) => {
    const end = running < 0 ? last : Math.min(last, running - 1);
    return end < first ? null : straight(chart, series, first, end);
  };

  /** The places of the values that no line leads to: those with none on either side, and what runs still. */
  const alone = (values, running) => {
    const isEnd = (place) => place === running || (values[place] ?? null) === null;
    const isAlone = (place) => place === running || (isEnd(place - 1) && isEnd(place + 1));
    return values.flatMap((value, place) => (value !== null && isAlone(place) ? [place] : []));
  };

  /** Marks the interval that is running, at the right end of a chart. */
  const markFrom =
    (seconds) =>
    ({ ctx, bbox, valToPos }) => {
      const end = bbox.left + bbox.width;
      const from = Math.min(valToPos(seconds, 'x', true), end - 6 * devicePixelRatio);
      ctx.save();
      ctx.fillStyle = colour('--tint');
      ctx.fillRect(from, bbox.top, end - from, bbox.height);
      ctx.fillStyle = colour('--edge');
      ctx.fillRect(from, bbox.top, devicePixelRatio, bbox.height);
      ctx.restore();
    };

  /** From a power of ten to another: from under a millisecond to seconds, an even scale would lay the usual on the ground. */
  const decades = (_, low, high) => [
    10 ** Math.floor(Math.log10(low ?? 1)),
    10 ** Math.ceil(Math.log10((high ?? 10) * 1.01)),
  ];
  /** The values of such an axis that have a line and a label: powers of ten, and 2 and 5 times them where those are few. */
  const roundOnes = ({ scales: { y } }, values) => {
    const leading = y.max / y.min > 1_000 ? [1] : [1, 2, 5];
    const digitOf = (value) => Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toFixed(6));
    return values.map((value) => (value !== null && leading.includes(digitOf(value)) ? value : null));
  };

  let charts = [];

  const draw = () => {
    for (const one of charts) one.destroy();
    const { starts, figures, running, half } = readSeries();
    const isLong = starts.length > 1 && starts.at(-1) - starts[0] > 2 * 86_400;
    const axis = { stroke: colour('--soft'), ticks: { show: false } };
    const thin = { stroke: colour('--line'), width: 1 / devicePixelRatio };
    const line = (label, place, stroke, { dash = [], border = 'solid', width = 2 } = {}) => ({
      ...{ label, dash, border, width, figure: figures[place], stroke: colour(stroke) },
      paths: until(running),
      points: { show: false, filter: () => alone(figures[place], running), size: 7, width: 2, fill: colour('--sheet') },
      value: (_, value) => (value === null ? '–' : number.format(value)),
    });
    const startOf = (_, seconds, __, place) =>
      seconds === null ? '–' : `${moment.format(seconds * 1_000)}${place === running ? ', em andamento' : ''}`;
    const isEmpty = figures[0].every((calls) => !calls);

    const chart = (name, { scale, axis: own }, lines) => {
      const place = root.querySelector(`[data-chart="${name}"]`);
      place.closest('[data-part="chart"]').hidden = isEmpty;
      const options = {
        width: place.clientWidth,
        height: 240,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), ZONE),
        scales: { x: { range: () => [starts[0] - half, starts.at(-1) + half] }, y: scale },
        hooks: {
          drawClear: running < 0 ? [] : [markFrom(starts[running] - half)],
          // What the pointer is on is told; where it is on nothing, the names of the lines are.
          setLegend: [({ root: chart, legend }) => chart.classList.toggle('is-read', legend.idx != null)],
        },
        legend: { markers: { dash: (_, place) => lines[place - 1]?.border ?? 'solid' } },
        series: [{ label: 'Início', value: startOf }, ...lines],
        axes: [
          {
            ...axis,
            grid: { show: false },
            space: 70,
            values: (_, seconds) => seconds.map((one) => (isLong ? day : time).format(one * 1_000)),
          },
          {
            ...axis,
            ...own,
            grid: { ...thin, ...own },
            size: 64,
            values: (_, values) => values.map((one) => (one === null ? '' : number.format(one))),
          },
        ],
      };
      return new uPlot(options, [starts, ...lines.map(({ figure }) => figure)], place);
    };

    const endings = [
      line('Recusas', 1, '--ink', { dash: [8, 4], border: 'dashed' }),
      line('Limites', 2, '--soft', { dash: [2, 3], border: 'dotted' }),
      line('Falhas', 3, '--warn', { width: 4 }),
    ];
    charts = [
      chart('calls', { scale: { range: (_, _low, high) => [0, Math.max(1, high * 1.1)] }, axis: { incrs: WHOLE } }, [
        line('Chamadas', 0, '--accent'),
        // A line along the ground would say no more than the figure above.
        ...endings.filter(({ figure }) => figure.some((count) => count > 0)),
      ]),
      chart('latencies', { scale: { distr: 3, range: decades }, axis: { filter: roundOnes } }, [
        line('p50', 4, '--accent'),
        line('p95', 5, '--ink', { dash: [8, 4], border: 'dashed' }),
        line('p99', 6, '--warn', { dash: [2, 3], border: 'dotted' }),
      ]),
    ];
  };

  return { draw };
};
