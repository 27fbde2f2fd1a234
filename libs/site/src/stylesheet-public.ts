/** The public pages: a bar on top, a wide column, lists of flights and fares. */
export const PUBLIC = `
body.open { grid-template-rows: auto 1fr auto; justify-items: stretch; padding: 0; }
.open main { min-width: 0; }
.open main:focus { outline: 0; }
.open .within { width: 100%; max-width: 68rem; margin: 0 auto; padding-left: 1.5rem; padding-right: 1.5rem; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; padding: 0.75rem 1rem; border-radius: 0 0 0.5rem 0.5rem; background: var(--accent); color: var(--on-accent); font-weight: 650; }
.skip:focus { top: 0; color: var(--on-accent); }
.topbar { border-bottom: 1px solid var(--line); background: var(--sheet); }
.topbar .within { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem; min-height: 4rem; }
.topbar .brand { padding: 0.75rem 0; color: var(--ink); text-decoration: none; }
.topbar ul, .bottom ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0; padding: 0; list-style: none; }
.topbar nav a, .bottom a { display: inline-block; padding: 0.6rem 0; text-decoration: none; font-weight: 550; }
.topbar nav a:hover, .bottom a:hover { text-decoration: underline; }
.hero { padding: 4rem 0 3rem; }
.hero h1, .lost h1 { max-width: 22ch; margin: 0 0 1rem; font-size: clamp(2rem, 1.2rem + 3.4vw, 3.25rem); line-height: 1.08; letter-spacing: -0.03em; }
.hero h1 { max-width: none; }
.hero .mild { display: block; color: var(--accent); }
.hero.narrow { padding: 2.25rem 0 1.5rem; }
.hero.narrow h1 { margin-bottom: 1.25rem; font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2.1rem); overflow-wrap: anywhere; }
.hero .lead { max-width: 36rem; margin: 0 0 2rem; font-size: 1.125rem; }
.search { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)) auto; align-items: end; gap: 1rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.search .field { margin: 0; }
.search label { font-size: 0.9375rem; }
.band { padding-top: 1rem; padding-bottom: 3rem; }
.band h2 { margin: 0 0 1rem; font-size: 1.35rem; letter-spacing: -0.015em; line-height: 1.3; }
.band-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1.5rem; }
.band-head p { margin: 0 0 1rem; }
#voos, #agente { scroll-margin-top: 1rem; }
.flights { margin: 0; padding: 0; overflow: hidden; list-style: none; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.flight { position: relative; display: grid; grid-template-columns: 11rem minmax(0, 1fr) 7rem 9rem; align-items: center; gap: 0 1.5rem; padding: 0.9rem 1.5rem; }
.flight + .flight { border-top: 1px solid var(--line); }
.flight:hover { background: var(--tint); }
.flight p { margin: 0; }
.flight h3 { margin: 0; font-size: 1.0625rem; line-height: 1.4; font-weight: 650; }
.flight h3 a { color: var(--ink); text-decoration: none; }
.flight h3 a::after { content: ""; position: absolute; inset: 0; }
.flight h3 a:hover { text-decoration: underline; }
.flight h3 a:focus-visible { outline: 0; }
.flight h3 a:focus-visible::after { outline: 3px solid var(--accent); outline-offset: -3px; border-radius: 0.75rem; }
.arrow { color: var(--soft); font-weight: 400; }
.times { font-size: 1.25rem; font-weight: 600; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; line-height: 1.35; }
.times .small { display: block; font-weight: 400; letter-spacing: 0; }
.offset { position: relative; top: -0.4em; color: var(--warn); font-size: 0.75rem; }
.flight .seats, .flight .price { text-align: right; }
.price .small { display: block; line-height: 1.2; }
.price strong { font-size: 1.25rem; font-weight: 650; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
.open .more { margin: 1.25rem 0 0; text-align: center; }
.open .more .button { display: inline-flex; padding: 0.6rem 1.5rem; }
.empty { padding: 3rem 1.5rem; border: 1px dashed var(--edge); border-radius: 0.75rem; text-align: center; }
.empty p { max-width: 34rem; margin: 0 auto 1.25rem; text-wrap: balance; }
.ways { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.5rem; margin: 0; padding: 0; list-style: none; counter-reset: way; }
.ways li { counter-increment: way; padding: 1.25rem 0 0; border-top: 3px solid var(--accent); }
.ways h3 { margin: 0 0 0.35rem; font-size: 1.0625rem; font-weight: 650; }
.ways h3::before { content: counter(way) ". " / ""; color: var(--accent); }
.ways p { color: var(--soft); }
.agent { padding: 2rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.agent h2 { margin: 0 0 0.5rem; }
.agent > p { max-width: 42rem; }
.agent .here { max-width: 42rem; margin: 1.25rem 0; padding: 1.25rem; border-radius: 0.5rem; background: var(--tint); }
.agent .here p { margin-bottom: 0.9rem; }
.agent .here > .actions, .agent .here > div > p:last-child { margin-bottom: 0; }
.agent .choice { border: 0; padding: 0 0 1rem; }
.agent .choice .small { display: block; }
.agent .said:empty { display: none; }
.agent .said { padding: 0.7rem 1rem; border-left: 4px solid var(--accent); border-radius: 0.25rem; background: var(--tint); font-weight: 600; }
.agent .facts { margin-top: 1.25rem; }
@media (min-width: 27rem) { .agent .facts > div { grid-template-columns: 10rem 1fr; } }
.open .buys { max-width: 42rem; font-size: 1.0625rem; }
.agent .facts > div:last-child { border-bottom: 0; padding-bottom: 0; }
.open .trail { margin: 0.5rem 0 1rem; }
.open article.band { padding-top: 1.5rem; }
.open article h1 { margin: 0 0 0.25rem; font-size: clamp(1.75rem, 1.3rem + 1.8vw, 2.5rem); letter-spacing: -0.025em; }
.open article .outcome { max-width: 42rem; }
.leg { display: grid; grid-template-columns: auto minmax(4rem, 1fr) auto; align-items: center; gap: 1.5rem; margin: 0 0 2.5rem; padding: 1.75rem 2rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.leg p { margin: 0; }
.leg .end { display: grid; line-height: 1.25; }
.leg .end:last-child { text-align: right; }
.leg time { font-size: 1.75rem; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.leg .end strong { color: var(--accent); letter-spacing: 0.04em; }
.leg .span { display: grid; gap: 0.25rem; text-align: center; }
.leg .span::before { content: ""; grid-row: 2; border-top: 2px dotted var(--edge); }
.leg .span :last-child { grid-row: 3; }
.leg .offset { top: -0.9em; margin-left: 0.15rem; font-weight: 600; }
.fares { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
.fare { display: flex; flex-direction: column; padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--sheet); }
.fare h3 { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; margin: 0 0 0.5rem; font-size: 1.0625rem; font-weight: 650; }
.fare .amount { margin: 0 0 1rem; }
.fare .amount strong { display: block; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; }
.traits { margin: 0 0 1rem; padding: 0; list-style: none; }
.traits li { position: relative; padding: 0.2rem 0 0.2rem 1.5rem; }
.traits li::before { position: absolute; left: 0; }
.traits .has::before { content: "✓" / ""; color: var(--accent); font-weight: 700; }
.traits .lacks { color: var(--soft); }
.traits .lacks::before { content: "–" / ""; }
.fare > :last-child { margin: auto 0 0; }
.guide { padding-top: 2.5rem; }
.guide h1 { font-size: clamp(1.75rem, 1.3rem + 1.8vw, 2.5rem); letter-spacing: -0.025em; }
.guide > p, .guide section > p, .guide section > ul { max-width: 46rem; }
.guide h2 { margin: 2.5rem 0 0.75rem; }
.guide h3 { margin: 1.5rem 0 0.5rem; font-size: 1rem; font-weight: 650; }
.guide ul { margin: 0 0 0.75rem; padding-left: 1.25rem; }
.guide li { margin: 0 0 0.4rem; overflow-wrap: anywhere; }
.guide pre { margin: 0 0 0.75rem; padding: 0.9rem 1.1rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--sheet); line-height: 1.5; }
.guide pre code { font-size: 0.875rem; overflow-wrap: normal; }
.lost { padding-top: 4rem; padding-bottom: 5rem; }
.lost .lead { max-width: 36rem; font-size: 1.125rem; }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
.bottom .within { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1.5rem; padding-top: 1.25rem; padding-bottom: 1.75rem; }
.bottom p { margin: 0; }
.bottom strong { font-weight: 600; overflow-wrap: anywhere; }
@media (max-width: 56rem) {
  .search { grid-template-columns: 1fr 1fr; }
  .flight { grid-template-columns: minmax(0, 1fr) auto; gap: 0.15rem 1rem; padding: 1rem 1.25rem; }
  .flight .journey { grid-column: 1 / -1; grid-row: 1; }
  .flight .times { grid-row: 2 / span 2; }
  .flight .price { grid-row: 2; }
  .flight .seats { grid-row: 3; }
}
@media (max-width: 44rem) { .ways { grid-template-columns: 1fr; } }
@media (max-width: 36rem) {
  .open .within { padding-left: 1.125rem; padding-right: 1.125rem; }
  .topbar .within { padding-top: 0.25rem; padding-bottom: 0.25rem; }
  .topbar ul { gap: 0 1.1rem; }
  .hero { padding: 2rem 0 1.75rem; }
  .search { grid-template-columns: 1fr; }
  .agent { padding: 1.5rem 1.25rem; }
  .leg { gap: 1rem; padding: 1.25rem; }
  .lost { padding-top: 2.5rem; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
  .skip { transition: top 0.15s; }
}
`;
