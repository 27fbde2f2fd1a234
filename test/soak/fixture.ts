import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Api } from '#agent';
import { agentAt, ANA, BRUNO } from '../support/agent.js';
import { CHALLENGED_CARD, challengeIn, decide } from '../support/challenge.js';
import { post } from '../support/keyed.js';
import { bodyOf, book, buy, DECLINED_CARD, GOOD_CARD, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { startServer, withEmptyFolder } from '../bench/server.js';
import { withTree } from '../bench/tree.js';
import { type Earlier, EARLIER_KEY, folderOf, soldTo } from './earlier.js';

const WEEK = { durationMinutes: 10_080 } as const;
/** Longer (ms) than a round of sealing, so that all of the log is sealed. */
const SEALED = 3_000;

/** What agents of both travellers do: purchases, refusals of each kind, a confirmed payment and one that waits, revocations. */
const live = async (origin: string): Promise<{ readonly ana: Api; readonly bruno: Api }> => {
  const [ana, bruno] = [await agentAt(origin, { traveller: ANA }), await agentAt(origin, { traveller: BRUNO })];

  const roomy = await grant(ana, 4 * TRIP_PRICE, WEEK);
  await buy(ana, await book(ana), roomy);
  const booking = await book(ana);
  const buyer = { name: 'Ana Prado', document: '52998224725' };
  const body = { bookingId: booking.id, mandateId: roomy.id, payment: GOOD_CARD, buyer };
  bodyOf(await post(ana, '/orders', body, randomUUID()), 201);
  bodyOf<unknown>(await order(ana, await book(ana), roomy, DECLINED_CARD), 402);

  const exhausted = await grant(ana, TRIP_PRICE, WEEK);
  await buy(ana, await book(ana), exhausted);
  bodyOf<unknown>(await order(ana, await book(ana), exhausted), 422);

  const revoked = await grant(ana, 2 * TRIP_PRICE, WEEK);
  await buy(ana, await book(ana), revoked);
  bodyOf(await ana.call('DELETE', `/mandates/${revoked.id}`), 200);
  bodyOf<unknown>(await order(ana, await book(ana), revoked), 409);

  const confirmed = await book(ana);
  const { url } = challengeIn(await order(ana, confirmed, roomy, CHALLENGED_CARD));
  await decide(url, ANA, 'approve');
  bodyOf(await order(ana, confirmed, roomy, CHALLENGED_CARD), 201);
  challengeIn(await order(ana, await book(ana), await grant(ana, TRIP_PRICE, WEEK), CHALLENGED_CARD));

  await buy(
    bruno,
    await book(bruno, { flightNumber: 'AL4011', fareCode: 'CLASSICA', passengers: 2 }),
    await grant(bruno, 2_000_00),
  );
  return { ana, bruno };
};

/** Writes the data folder of another commit to test/fixtures, for the test of an upgrade (soak/upgrade.spec.ts). */
export const fixture = (commit: string): Promise<void> =>
  withTree(commit, (tree) =>
    withEmptyFolder(async (folder) => {
      const data = join(folder, 'data');
      await mkdir(data, { mode: 0o700 });
      const environment = { CATALOG_FILE: '', PASSWORD_COST: '10', KEY_ENCRYPTION_KEY: EARLIER_KEY };
      const server = await startServer(data, environment, tree);
      const { ana, bruno } = await live(server.origin);
      await sleep(SEALED);
      const answer = await fetch(`${server.origin}/tlog/checkpoint`);
      const checkpoint = answer.ok ? await answer.text() : null;
      const earlier: Earlier = { ana: await soldTo(ana), bruno: await soldTo(bruno), checkpoint };
      await server.stop();
      const kept = folderOf(commit);
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, 'books.json'), `${JSON.stringify(earlier, null, 2)}\n`);
      for (const name of (await readdir(data)).filter((one) => one.endsWith('.db')))
        await writeFile(join(kept, `${name}.br`), brotliCompressSync(await readFile(join(data, name))));
    }),
  );
