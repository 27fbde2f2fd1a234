import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../../apps/cli/src/doctor/finding.js';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import { book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { type RealProcess, runCommand, runProjector, runService, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { areServersUsed, type Environment, storesOf } from '../support/stores.js';
import { swept } from '../support/sweep.js';

/** How often each command is killed, spread over the time that it takes. */
const KILLS = swept({ short: 2, middle: 6, full: 40 });

let folder: string;
let environment: Environment;
let running: readonly RealProcess[];
beforeEach(async () => {
  [folder, running] = [await newFolder(), []];
  environment = { ...storesOf(folder), PASSWORD_COST: '10', LOG_LEVEL: 'silent', TLOG_INTERVAL: '0.05' };
});
afterEach(async () => {
  await kill();
  await removeFolder(folder);
});

/** The service, which over servers projects and seals in another process. */
const start = async (): Promise<string> => {
  const service = await startProcess(folder, environment);
  running = [service, ...(areServersUsed() ? [runProjector(environment)] : [])];
  while ((await fetch(`${service.origin}/api/v1/health/ready`)).status !== 200) await sleep(50);
  return service.origin;
};

const kill = async (): Promise<void> => {
  await Promise.all(running.map((one) => one.end('SIGKILL')));
  running = [];
};

/** The checkpoint that is published once the log has more entries than `size`. */
const publishedAfter = async (origin: string, size: number, at = 'checkpoint'): Promise<string> => {
  for (;;) {
    const answer = await fetch(`${origin}/tlog/${at}`);
    const text = answer.status === 200 ? await answer.text() : '';
    if (Number(text.split('\n')[1]) > size) return text;
    await sleep(50);
  }
};

const sell = async (origin: string): Promise<string> => {
  const { access_token: token } = await tokensFor(origin);
  const ana = apiAt(origin, token);
  await buy(ana, await book(ana), await grant(ana, TRIP_PRICE));
  return token;
};

const found = async (): Promise<string> => {
  const { stdout } = await alcada(folder, ['doctor', '--json'], { environment });
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return findings.find(({ what }) => what === 'transparency log')?.says ?? '';
};

/** Runs a command, killed at more and more of the time that it takes, and at last to its end; `after` each kill. */
const runUnderKills = async (args: readonly string[], after: () => Promise<void>): Promise<void> => {
  const began = performance.now();
  expect(await runCommand(['tlog', 'key'], environment).ended).toMatchObject({ code: 0 });
  const whole = performance.now() - began; // it opens the same stores
  for (let kills = 1; kills <= KILLS; kills += 1) {
    const command = runCommand(args, environment);
    await Promise.race([command.ended, sleep(whole * (0.7 + (0.6 * kills) / KILLS))]);
    await command.end('SIGKILL');
    await after();
  }
  const last = runCommand(args, environment);
  expect([await last.ended, last.stderr()]).toEqual([{ code: 0, signal: null }, '']);
};

it('stores that were put back go on as another log with nobody let in, however often that is killed', async () => {
  const origin = await start();
  const token = await sell(origin);
  const published = await publishedAfter(origin, 3);
  await kill();
  const kept = join(folder, 'kept.checkpoint');
  await writeFile(kept, published);

  await runUnderKills(['end-access'], () => Promise.resolve());
  await runUnderKills(['tlog', 'begin', '--last', kept], async () => {
    if (!(await found()).startsWith('the next log was begun')) return;
    const refused = runService({ ...environment, PORT: '0' });
    expect(await refused.ended).toEqual({ code: 78, signal: null });
    expect(refused.stderr()).toContain('run alcada tlog begin again');
  });

  const again = await start();
  expect((await apiAt(again, token).get('/orders')).status).toBe(401);
  const [name, size] = published.split('\n');
  const frozen = await publishedAfter(again, Number(size) - 1, '1/checkpoint');
  expect(frozen.split('\n')[0]).toBe(name);
  await sell(again);
  expect(await publishedAfter(again, Number(size))).toMatch(/^\S+#2\n/);
  const audited = await alcada(folder, ['audit', 'verify', '--checkpoint', kept], { environment });
  expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining('Every rule holds.') });
  const old = join(folder, 'frozen.checkpoint');
  await writeFile(old, frozen);
  const added = await alcada(folder, ['audit', 'diff', kept, old], { environment });
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('both are checkpoints of this log') });
}, 240_000);
