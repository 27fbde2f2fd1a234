import { ACCOUNT } from './stylesheet-account.js';
import { CONTROLS } from './stylesheet-controls.js';
import { PUBLIC } from './stylesheet-public.js';
import { STEPS } from './stylesheet-steps.js';

/** Colours and measures; contrast is at least 4.5:1 for text in both schemes (WCAG 2.2, 1.4.3). */
const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: #f4f2ec;
  --sheet: #fffefb;
  --ink: #1b2422;
  --soft: #56625f;
  --line: #d8d5cb;
  --edge: #7d8985;
  --accent: #0d5f57;
  --accent-strong: #084741;
  --on-accent: #ffffff;
  --tint: #e7f0ed;
  --warn: #8a3b12;
  --warn-tint: #fbeee4;
  --gap: 1.5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #111615;
    --sheet: #191f1e;
    --ink: #e9eeec;
    --soft: #a7b3af;
    --line: #313a38;
    --edge: #7f8c88;
    --accent: #79cfc2;
    --accent-strong: #a3e2d8;
    --on-accent: #06201c;
    --tint: #1f2c29;
    --warn: #f3b28c;
    --warn-tint: #33221a;
  }
}
`;

const PAGE = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  grid-template-rows: auto auto 1fr;
  justify-items: center;
  padding: 0 1rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
.masthead, .sheet, .colophon { width: 100%; max-width: 30rem; }
.masthead { padding: 2.25rem 0 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; font-size: 1.2rem; font-weight: 650; letter-spacing: -0.01em; }
.mark { fill: none; stroke: var(--accent); stroke-width: 3; stroke-linecap: round; }
.sheet {
  align-self: start;
  padding: 2rem;
  background: var(--sheet);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
.colophon { padding: 1.25rem 0 2rem; color: var(--soft); font-size: 0.875rem; }
.colophon strong { font-weight: 600; overflow-wrap: anywhere; }
h1 { margin: 0 0 0.75rem; font-size: 1.6rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; text-wrap: balance; }
h2 { margin: var(--gap) 0 0.5rem; font-size: 1rem; font-weight: 650; }
p { margin: 0 0 0.75rem; }
p:last-child { margin-bottom: 0; }
.lead { color: var(--soft); margin-bottom: 1.25rem; }
.lead strong { color: var(--ink); }
.small { color: var(--soft); font-size: 0.875rem; }
.note { margin-top: 0.9rem; }
strong, .name { overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  .masthead { padding: 1.25rem 0 0.9rem; }
  .sheet { padding: 1.5rem 1.25rem; }
  h1 { font-size: 1.4rem; }
}
@media print { .masthead, .colophon { display: none; } .sheet { border: 0; padding: 0; } }
`;

/** The one stylesheet of all pages. */
export const STYLESHEET = TOKENS + PAGE + CONTROLS + STEPS + ACCOUNT + PUBLIC;
