/** Styles of the dashboard, on top of those of all pages. Series differ by dash as well as by colour (WCAG 2.2, 1.4.1). */
export const STYLES = `
.traffic > .lead { max-width: 46rem; }
.traffic .picker { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem; margin: 0 0 1rem; }
.traffic .picker .field { flex: 0 1 16rem; margin: 0; }
.traffic .said:empty { display: none; }
.traffic .said { padding: 0.7rem 1rem; border-left: 4px solid var(--accent); border-radius: 0.25rem; background: var(--tint); font-weight: 600; }
.traffic .said.failed { border-color: var(--warn); background: var(--warn-tint); color: var(--warn); }
.traffic .updated { margin: 0 0 1.25rem; }
.traffic [aria-busy="true"] { opacity: 0.6; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1rem; margin: 0 0 1.5rem; }
.figures > div, .panel { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.figures dt { font-weight: 600; }
.figures dd { margin: 0; }
.figures .amount { font-size: 2rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.figures .definition { margin-top: 0.5rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
.panel { margin: 0 0 1rem; min-width: 0; }
.panel h2 { margin: 0 0 0.25rem; font-size: 1.15rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1rem; align-items: start; }
.panel.wide { grid-column: 1 / -1; }
.scrolls { overflow: auto; max-height: 30rem; }
.traffic table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.traffic th, .traffic td { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
.traffic td { white-space: nowrap; }
.traffic th:first-child { padding-left: 0; text-align: left; font-weight: 500; }
.traffic thead th { color: var(--soft); font-size: 0.875rem; font-weight: 600; }
.traffic tbody tr:last-child > * { border-bottom: 0; }
.traffic th .small { display: block; font-weight: 400; }
.traffic .none { color: var(--soft); }
.series summary { min-height: 1.5rem; cursor: pointer; font-weight: 600; }
.bar { display: block; width: 7rem; height: 0.9rem; margin-top: 0.3rem; background: var(--tint); }
.bar rect { fill: var(--accent); }
.chart [data-chart] { width: 100%; min-height: 240px; }
.uplot, .u-legend { color: var(--ink); font: inherit; font-size: 0.875rem; }
.u-legend { width: auto; }
.u-legend .u-marker { width: 1.25rem; height: 0; }
.traffic .u-legend th, .traffic .u-legend td { padding: 0.15rem 0.35rem; border: 0; text-align: left; }
@media (max-width: 36rem) {
  .traffic .picker .field { flex-basis: 100%; }
  .traffic .picker button { flex: 1; }
  .traffic th, .traffic td { padding: 0.45rem 0.3rem; }
  .bar { width: 2.5rem; }
}
@media print {
  /* A picture as wide as the window was: it shrinks as one. */
  .chart .uplot, .chart .u-wrap { width: 100% !important; height: auto !important; }
  .chart canvas { height: auto !important; }
  .traffic .picker, .traffic .said, .topbar, .bottom, .skip { display: none; }
  .figures > div, .panel { break-inside: avoid; }
  .scrolls { max-height: none; overflow: visible; }
}
`;
