import { html, type Html } from '#site';
import type { MandateStep } from '#verifier';
import type { NumberedStep } from './replay-mandate.js';

/** Height of the chart in its own units; each event is one wide, and holds what it left until the next. */
const HEIGHT = 100;

/** The ceiling after each event: charged, set aside, left. Hidden from screen readers, since the table has the numbers. */
export const stepChart = (steps: readonly NumberedStep[], now: NumberedStep): Html => {
  const states = steps.map(({ step }) => step);
  const top = Math.max(
    1,
    ...states.map(({ limit, consumed, reserved }) => Math.max(limit.amount, consumed + reserved)),
  );
  const y = (cents: number): string => (HEIGHT - (cents / top) * HEIGHT).toFixed(2);
  const spent = ({ consumed }: MandateStep) => consumed;
  const held = ({ consumed, reserved }: MandateStep) => consumed + reserved;
  const ceiling = ({ limit }: MandateStep) => limit.amount;
  const area = (level: (step: MandateStep) => number): string =>
    `M0 ${HEIGHT}${states.map((step, at) => `V${y(level(step))}H${at + 1}`).join('')}V${HEIGHT}Z`;
  const [first] = states;
  const edge = `M0 ${first ? y(ceiling(first)) : 0}${states.map((step, at) => `V${y(ceiling(step))}H${at + 1}`).join('')}`;
  const at = steps.indexOf(now);
  return html`<svg
    class="chart"
    id="grafico"
    viewBox="0 -4 ${states.length} ${HEIGHT + 8}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <path class="chart-rest" d="${area(ceiling)}" />
    <path class="chart-reserved" d="${area(held)}" />
    <path class="chart-consumed" d="${area(spent)}" />
    ${states.map((step, place) => (isOver(step) ? html`<rect class="chart-over" x="${place}" y="0" width="1" height="${y(held(step))}" />` : html``))}
    <path class="chart-ceiling" d="${edge}" />
    ${states.map((step, place) => (step.refusal === null ? html`` : html`<path class="chart-refused" d="M${place + 0.5} -4V${HEIGHT}" />`))}
    <rect class="chart-now" id="marca" x="${at}" y="-4" width="1" height="${HEIGHT + 8}" />
  </svg>`;
};

/** Whether nothing of what is left can ever be spent. */
const isOver = ({ status }: MandateStep): boolean => ['revoked', 'expired', 'abandoned'].includes(status);

/** What the colours stand for. */
export const LEGEND = html`<ul class="legend" role="list" aria-hidden="true">
  <li class="legend-consumed">cobrado</li>
  <li class="legend-reserved">reservado</li>
  <li class="legend-rest">disponível</li>
  <li class="legend-over">não usado</li>
  <li class="legend-ceiling">teto</li>
  <li class="legend-refused">recusa</li>
</ul>`;
