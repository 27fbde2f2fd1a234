import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { policyOf } from './tlog/policy.js';
import { expectedOf, fileOf, purchaseStory, testCrypto, vectors } from './testing/index.js';
import { verifyBundle } from './verify-bundle.js';

const FOLDER = 'docs/audit-vectors';
const { key, vkey } = purchaseStory();
const trust = { crypto: testCrypto, policy: policyOf(key) };

const all = await vectors();

/** With VECTORS=write they are written anew, as when the rules have changed. */
if (process.env['VECTORS'] === 'write') {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}/key`, `${vkey}\n`);
  for (const { name, lines } of all) {
    await writeFile(`${FOLDER}/${name}.jsonl`, `${lines.join('\n')}\n`);
    const report = expectedOf(await verifyBundle(fileOf(lines), trust));
    await writeFile(`${FOLDER}/${name}.report.json`, `${JSON.stringify(report, null, 1)}\n`);
  }
}

describe('the vectors of docs/audit-format.md', () => {
  it.each(all)('$name: $why', async ({ name, lines }) => {
    expect(await readFile(`${FOLDER}/key`, 'utf8')).toBe(`${vkey}\n`);
    const bundle = await readFile(`${FOLDER}/${name}.jsonl`);
    expect(bundle.toString()).toBe(`${lines.join('\n')}\n`);
    const report: unknown = JSON.parse(await readFile(`${FOLDER}/${name}.report.json`, 'utf8'));
    expect(expectedOf(await verifyBundle([bundle], trust))).toEqual(report);
  });
});
