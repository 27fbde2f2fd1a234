import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { tellNotGiven } from '#testing';
import { startServiceInMemory } from '../support/service.js';

/** The second page uses what the first one defines. */
const PAGES = ['docs/first-purchase.md', 'docs/agents.md'];
const PRINTED = 'http://127.0.0.1:3000';
const { CURL = '' } = process.env;
if (CURL === '') tellNotGiven(`the commands of ${PAGES.join(' and ')}`, 'CURL');

/** What a reader pastes, block by block, into one shell that ends where a command fails. */
const pasted = (origin: string): string => {
  const pages = PAGES.map((page) => readFileSync(page, 'utf8')).join('\n');
  const blocks = [...pages.matchAll(/```bash\n(.*?)```/gs)].map(([, block = '']) => block);
  return ['set -eu -o pipefail', `curl() { '${CURL}' "$@"; }`, ...blocks].join('\n').replace(PRINTED, origin);
};

(CURL === '' ? it.skip : it)(`${PAGES.join(' and ')} work as they are printed`, async () => {
  const service = await startServiceInMemory();
  try {
    const shell = spawn('bash', ['-c', pasted(service.origin)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = await Promise.all([text(shell.stdout), once(shell, 'exit')]);
    expect([shell.exitCode, printed]).toEqual([
      0,
      expect.stringMatching(/\nrevoked\n[^]*\npaid\n[^]*invalid_token\n[^]*suggestion: 'from'/),
    ]);
    expect(printed).toContain("error: 'mandate_limit_exceeded'");
    expect(printed).toContain('MandateChargeRefused mandate_limit_exceeded');
    expect(printed).toContain('MandateRefunded 61990');
  } finally {
    await service.stop();
  }
});
