import { parseArgs } from 'node:util';
import { commandOf } from './finding.js';
import { fuzz } from './fuzz.js';
import { Coverage } from './coverage.js';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const since = performance.now();
const coverage = new Coverage();
let [sent, found] = [0, 0];
for await (const report of fuzz(Number(values.seed), Number(values.requests))) {
  sent += report.requests;
  found += report.findings.length;
  coverage.add(report);
  for (const { fault, at, composed } of report.findings) {
    console.log(`FINDING ${composed.operation.name}: ${fault}`);
    console.log(`  npm run fuzz -- --seed ${report.seed} (request ${at})\n  ${commandOf(composed)}`);
  }
  for (const { milliseconds, bytes, composed } of report.worst) {
    const { method, target } = composed.sent;
    console.log(`${milliseconds.toFixed(1)} ms of the CPU for ${bytes} bytes: ${method} ${target.slice(0, 80)}`);
  }
}
console.log(`${coverage.answers} different answers. Rarest of those described:`);
for (const { what, times } of coverage.rarest) console.log(`  ${what}: ${times}`);
console.log('Described and not reached:');
for (const { what, reason } of coverage.never) console.log(`  ${what}: ${reason ?? 'NO REASON'}`);
console.log(`${(sent / ((performance.now() - since) / 1_000)).toFixed(0)} requests a second`);
console.log(`${sent} requests, ${found} findings`);
process.exitCode = found > 0 ? 1 : 0;
