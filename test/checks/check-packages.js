/** `npm run check:packages`: licences, install scripts and origins of all packages, on every platform, without a network. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { faultsOf } from './packages.js';

const text = (path) => readFileSync(path, 'utf8');
const sbom = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
});
const faults = faultsOf({
  bom: JSON.parse(sbom),
  lock: JSON.parse(text('package-lock.json')),
  manifest: JSON.parse(text('package.json')),
  settings: text('.npmrc'),
});
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
