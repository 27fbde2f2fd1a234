/** The travellers' own pages: lists, cards, statements, and what is printed of them. */
export const ACCOUNT = `
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
.trail { margin: -0.5rem 0 0.75rem; font-size: 0.9375rem; }
.trail ol { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; }
.trail li:not(:last-child)::after { content: "›" / ""; margin: 0 0.6rem; color: var(--soft); }
.trail a, .rows a, .more a { display: inline-block; padding: 0.3rem 0; }
.part { margin-top: 2rem; }
.part > h2 { margin: 0 0 0.5rem; font-size: 1.15rem; }
.part > .lead { margin-bottom: 0; }
.more { margin: 0.75rem 0 0; }
.rows, .history { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.rows > li, .history > li { padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
.rows p, .history p { margin: 0; overflow-wrap: anywhere; }
.rows .row-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem; font-weight: 600; }
.history .row-head { font-weight: 600; }
.whole { white-space: nowrap; }
.urgent { padding: 0 1rem; border: 1px solid var(--warn); border-radius: 0.5rem; }
.urgent > li:last-child { border-bottom: 0; }
.mark-on, .mark-off, .mark-warn {
  padding: 0.1rem 0.6rem;
  border-radius: 1rem;
  background: var(--tint);
  color: var(--accent-strong);
  font-size: 0.8125rem;
  font-weight: 600;
  letter-spacing: 0;
  white-space: nowrap;
}
.mark-off { background: var(--paper); color: var(--soft); }
.mark-warn { background: var(--warn-tint); color: var(--warn); }
.sum .mark-on, .sum .mark-off { vertical-align: middle; }
.card { margin: 0 0 1rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.card:target, .rows > li:target { border-color: var(--accent); }
.card h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; margin: 0 0 0.35rem; font-size: 1.1rem; line-height: 1.3; font-weight: 650; }
.card .cap { margin: 1rem 0; padding: 0.7rem 0.9rem; border-radius: 0.5rem; background: var(--tint); }
.scopes { margin: 0; padding: 0; list-style: none; }
.scopes li { position: relative; padding-left: 1.25rem; }
.scopes li::before { content: "✓" / ""; position: absolute; left: 0; color: var(--accent); }
.effects { margin: 0 0 1.25rem; padding-left: 1.25rem; }
.effects li { margin: 0 0 0.4rem; }
.button { justify-content: center; text-align: center; }
.button.warn { color: var(--warn); border-color: var(--warn); }
button.danger { background: var(--warn); border-color: var(--warn); color: var(--sheet); }
button.danger:hover { filter: brightness(0.9); }
.facts + .actions { margin-top: 1.25rem; }
.gauge { display: block; width: 100%; height: 0.75rem; margin: 0 0 1.25rem; border-radius: 0.375rem; }
.gauge-rest { fill: var(--tint); }
.gauge-reserved { fill: var(--edge); }
.gauge-consumed { fill: var(--accent); }
.ticket { padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--tint); }
.ticket h2 { margin: 0; color: var(--soft); font-size: 1rem; }
.ticket .route { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0 0 0.5rem; font-size: 2.25rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; }
.stubs { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; margin: 1rem 0 0; padding: 1rem 0 0; border-top: 2px dashed var(--line); }
.stubs dt { color: var(--soft); font-size: 0.875rem; }
.stubs dd { margin: 0; font-size: 1.15rem; font-weight: 650; font-variant-numeric: tabular-nums; }
@media print {
  @page { margin: 18mm; }
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #333; --line: #999; --tint: #fff; --accent: #000; --accent-strong: #000; --warn: #000; }
  body, body.broad { display: block; padding: 0; font-size: 11pt; }
  body .masthead { display: block; max-width: none; padding: 0 0 1rem; }
  body .sheet { max-width: none; border-radius: 0; }
  .trail, .who, .actions, .on-screen, .more, form { display: none; }
  .ticket, .card, .facts > div, .rows > li, .history > li { break-inside: avoid; }
  a { text-decoration: none; }
}
`;
