/**
 * `npm run jepsen [-- --minutes 10 --seed S]`: agents against real processes, judged from outside; 1 on a finding.
 * `--cluster FILE` starts the nodes of EVENTSTORE_URL as the file says (cluster.ts), and does harm to them too.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { areServersUsed } from '../support/stores.js';
import { Cluster } from './cluster.js';
import { play } from './play.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    history: { type: 'string', default: 'history.jsonl' },
    cluster: { type: 'string' },
  },
});

const canMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'jepsen-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'jepsen', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const smallDisk = !areServersUsed() && canMount();
if (!smallDisk) say('no disk is filled: there is none to mount');
const seconds = 60 * Number(values.minutes);
const cluster = values.cluster === undefined ? null : await Cluster.start(values.cluster);
const { history, sightings, findings, undecided, longest, longestWell } = await play({
  seconds,
  seed: Number(values.seed),
  file: values.history,
  smallDisk,
  bound: 15_000,
  cluster,
}).finally(() => cluster?.close());
const counted = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map((name) => `${name} ${names.filter((one) => one === name).length}`)
    .join(', ');
say(`faults: ${[...history.faults].map(([name, times]) => `${name} ${times}`).join(', ')}`);
say(`${history.calls.length} calls: ${counted(history.calls.map(({ kind, outcome }) => `${kind} ${outcome}`))}`);
if (cluster) say(`${cluster.elections} elections`);
say(
  `${sightings.sessions} sessions bought, ${sightings.pages} on their pages meanwhile; ${sightings.receipts} receipts; ${sightings.lists} lists, ${sightings.stale} of them behind what was told before`,
);
say(`${sightings.recovered.length} orders lost an answer and were decided within ${Math.round(longest)} ms at most`);
say(`${Math.round(longestWell)} ms at most while nothing was wrong`);
for (const finding of findings) say(`FINDING ${finding}`);
say(`${history.limits.size} histories, ${undecided} too long to judge, ${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
