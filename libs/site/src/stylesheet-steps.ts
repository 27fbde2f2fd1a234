/** Pages that walk somebody through steps and show messages on the way. */
export const STEPS = `
.broad .masthead, .broad .sheet, .broad .colophon { max-width: 48rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", monospace; font-size: 0.875em; }
code { overflow-wrap: anywhere; }
.button {
  display: inline-flex;
  align-items: center;
  min-height: 3rem;
  padding: 0.6rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 650;
  text-decoration: none;
}
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.button.quiet { background: transparent; border-color: var(--edge); color: var(--ink); }
.button.quiet:hover { background: var(--tint); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.steps { margin: 0; padding: 0; list-style: none; }
.steps + p { margin: 1.75rem 0 0; }
.step { position: relative; padding: 0 0 1.75rem 3.25rem; }
.step:last-child { padding-bottom: 0; }
.step:not(:last-child)::before { content: ""; position: absolute; top: 2.25rem; bottom: -0.1rem; left: 1rem; border-left: 2px solid var(--line); }
.step > h2 { margin: 0 0 0.3rem; padding-top: 0.3rem; font-size: 1.15rem; line-height: 1.5rem; }
.step > .lead { margin-bottom: 0.9rem; }
.step > .lead:last-child, .step > .lead:has(+ [hidden]) { margin-bottom: 0; }
.place {
  position: absolute;
  top: 0;
  left: 0;
  width: 2.1rem;
  height: 2.1rem;
  border: 2px solid var(--line);
  border-radius: 50%;
  background: var(--sheet);
  color: var(--soft);
  font-size: 0.95rem;
  line-height: 1.85rem;
  text-align: center;
}
.step[aria-current] > h2 > .place { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { margin: 0 0 0.35rem; padding: 0; font-weight: 600; }
.choice { display: flex; align-items: flex-start; gap: 0.75rem; margin: 0; padding: 0.65rem 0; border-bottom: 1px solid var(--line); font-weight: 400; cursor: pointer; }
.choice input { flex: none; width: 1.35rem; height: 1.35rem; min-height: 0; margin: 0.1rem 0 0; accent-color: var(--accent); }
.choice code { display: block; color: var(--soft); }
select {
  display: block;
  width: 100%;
  min-height: 3rem;
  padding: 0.5rem 0.8rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--sheet);
  color: var(--ink);
  font: inherit;
}
.call { padding: 1rem 0; border-top: 1px solid var(--line); }
.call h3 { margin: 0 0 0.15rem; font-size: 1rem; font-weight: 650; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem; }
.message { margin: 1rem 0 0; }
.message figcaption { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.875rem; font-weight: 600; }
.message pre {
  max-height: 24rem;
  margin: 0;
  padding: 0.8rem 1rem;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--paper);
  line-height: 1.5;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.message + .facts { margin-top: 1.25rem; }
@media (min-width: 40rem) { .step .facts > div { grid-template-columns: 12rem 1fr; } }
@media (max-width: 30rem) {
  .step { padding-left: 0; }
  .step > h2 { padding-left: 2.75rem; margin-bottom: 0.5rem; }
  .step:not(:last-child)::before { display: none; }
}
`;
