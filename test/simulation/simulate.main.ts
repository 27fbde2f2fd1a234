import process from 'node:process';
import { parseArgs } from 'node:util';
import { runGuards } from '../guards/run-guards.js';
import { liveSeeds } from './crew.js';
import { summaryOf } from './reached.js';
import { scriptOf } from './seed.js';
import { shrunk } from './shrink.js';
import { shortly } from './simulation.js';

/**
 * `npm run simulate -- --seeds 100000 [--seed N] [--minutes M] [--hash] [--stop-at-first]`: lives through seeds, on all
 * cores. The last line is `N seeds, M findings`; exit 1 where M > 0.
 *
 * `--seed`: this one alone, or the first of `--seeds`. `--minutes`: begins no further seed after so long. `--hash`: prints
 * the SHA-256 of log and ledger of each seed. `--stop-at-first`: begins no further seed after a finding, and does not look
 * for its shortest history.
 *
 * `--guards [--rule N]`: takes guards out instead, all of them or those of a rule, and prints within how many seeds that is
 * found.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    hash: { type: 'boolean', default: false },
    'stop-at-first': { type: 'boolean', default: false },
    guards: { type: 'boolean', default: false },
    rule: { type: 'string' },
  },
});
if (values.guards) {
  const rules = values.rule === undefined ? null : [Number(values.rule)];
  const missed = await runGuards(rules, (line) => console.log(line));
  process.exit(missed > 0 ? 1 : 0);
}

/** Of so many seeds with findings the shortest histories are printed. */
const SHRUNK = 3;
/** Lines of a history that are printed: its end tells most. */
const LINES = 300;

const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 500 : 1));
const endsAt = Date.now() + Number(values.minutes ?? Infinity) * 60_000;
const stopsAtFirst = values['stop-at-first'];
const reached = new Map<string, number>();
const wrong: number[] = [];
let [seeds, orders, findings] = [0, 0, 0];

await liveSeeds(
  { first, count, isHashed: values.hash, isOver: () => Date.now() >= endsAt || (stopsAtFirst && findings > 0) },
  (life) => {
    seeds += 1;
    orders += life.orders;
    findings += life.findings.length;
    for (const [name, times] of life.reached) reached.set(name, (reached.get(name) ?? 0) + times);
    if (values.hash) console.log(`seed ${life.seed}: ${life.hash}`);
    if (life.findings.length === 0) return;
    wrong.push(life.seed);
    console.log([`seed ${life.seed}:`, ...life.findings, `npm run simulate -- --seed ${life.seed}`].join('\n  '));
  },
);

for (const seed of stopsAtFirst ? [] : wrong.slice(0, SHRUNK)) await printShortest(seed);
console.log(summaryOf(reached));
const { user, system } = process.cpuUsage();
console.log(`${orders} orders, ${Math.round((user + system) / 1_000)} ms of CPU`);
console.log(`${seeds} seeds, ${findings} findings`);
if (findings > 0) process.exitCode = 1;

/** The shortest script found that still goes wrong, and what happened in it. */
async function printShortest(seed: number): Promise<void> {
  const { script, lived } = await shrunk(scriptOf(seed));
  const { strands, ...circumstances } = script;
  console.log(`\nseed ${seed}, shortened: ${JSON.stringify(circumstances)}`);
  for (const [agent, strand] of strands.entries())
    for (const { on, action } of strand) console.log(`  agent ${agent} on process ${on}: ${JSON.stringify(action)}`);
  const { history, findings: left } = lived;
  if (history.length > LINES) console.log(`  … ${history.length - LINES} lines`);
  for (const line of history.slice(-LINES)) console.log(`  ${line}`);
  for (const finding of left) console.log(`  → ${shortly(finding)}`);
}
