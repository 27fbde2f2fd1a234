/** Forms, buttons, notices and lists. Touch targets are at least 48 px high (WCAG 2.2, 2.5.8 asks for 24). */
export const CONTROLS = `
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
label { display: block; margin: 0 0 0.35rem; font-weight: 600; }
.field { margin: 0 0 1.1rem; }
input {
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
input[aria-invalid="true"] { border-color: var(--warn); border-width: 2px; }
button {
  min-height: 3rem;
  padding: 0.6rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 650;
  cursor: pointer;
}
button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.quiet { background: transparent; border-color: var(--edge); color: var(--ink); }
button.quiet:hover { background: var(--tint); }
button.link {
  min-height: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--accent);
  font-weight: 600;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
button.link:hover { color: var(--accent-strong); }
.wide { width: 100%; }
.choices { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; margin-top: var(--gap); }
@media (max-width: 24rem) { .choices { grid-template-columns: 1fr; } }
.alert {
  margin: 0 0 1.25rem;
  padding: 0.8rem 1rem;
  border-left: 4px solid var(--warn);
  border-radius: 0.25rem;
  background: var(--warn-tint);
  color: var(--warn);
  font-weight: 600;
}
.alert a { color: inherit; }
.outcome { margin: 0 0 1.25rem; padding: 0.8rem 1rem; border-left: 4px solid var(--accent); border-radius: 0.25rem; background: var(--tint); }
.outcome.none { border-color: var(--edge); background: var(--paper); }
.sum { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.facts { margin: 0; border-top: 1px solid var(--line); }
.facts > div { display: grid; grid-template-columns: 7rem 1fr; gap: 0 0.75rem; padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 26rem) { .facts > div { grid-template-columns: 1fr; } .facts dt { font-size: 0.875rem; } }
.badge {
  display: inline-block;
  margin: 0;
  padding: 0.15rem 0.6rem;
  border: 1px solid var(--warn);
  border-radius: 1rem;
  color: var(--warn);
  font-size: 0.8125rem;
  font-weight: 600;
}
.powers { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.powers li { padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
.powers .tag { display: block; color: var(--warn); font-size: 0.8125rem; font-weight: 600; }
.who {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 1rem;
  margin: var(--gap) 0;
  padding: 0.35rem 1rem;
  border-radius: 0.5rem;
  background: var(--tint);
}
.who p { flex: 1 1 8rem; margin: 0.35rem 0; min-width: 0; overflow-wrap: anywhere; }
.who:last-child { margin-bottom: 0; }
`;
