/** A peer of `Aggregates.handle`, Emmett: `node emmett.js <our libs/mandate> <folder> <pairs> <at once>`. */
import console from 'node:console';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { DeciderCommandHandler } from '@event-driven-io/emmett';
import { getSQLiteEventStore } from '@event-driven-io/emmett-sqlite';

const [, , libMandate, folder, pairsAsked, atOnceAsked] = process.argv;
const [pairs, atOnce] = [Number(pairsAsked), Number(atOnceAsked)];
const { mandates } = await import(libMandate);
const { decide, evolve, initialState } = mandates.decider;

const fileName = join(folder, `emmett-${randomUUID()}.db`);
const store = getSQLiteEventStore({ fileName });
const handler = DeciderCommandHandler({ decide, evolve, initialState, mapToStreamId: (id) => `mandate-${id}` });
const handle = (mandateId, command) => handler(store, mandateId, { ...command, now: new Date().toISOString() });

const party = { holder: 'ana', clientId: 'pilot' };
const scope = ['mandate:create', 'order:write', 'payment:execute'];
const [now, hour] = [Date.now(), 3_600_000];
const terms = { scope, limit: { amount: 10 ** 12, currency: 'BRL' }, minutes: 600, grantedBy: 'agent' };
const times = { startsAt: new Date(now).toISOString(), expiresAt: new Date(now + 10 * hour).toISOString() };

const grant = async () => {
  const mandateId = randomUUID();
  await handle(mandateId, { type: 'CreateMandate', mandateId, ...party, ...terms, ...times });
  return mandateId;
};
const charge = async (mandateId) => {
  const orderId = randomUUID();
  const amount = { amount: 100_00, currency: 'BRL' };
  const purchase = { from: 'GRU', to: 'REC', unitPrice: amount };
  const holdBefore = new Date(now + hour).toISOString();
  await handle(mandateId, {
    type: 'Reserve',
    orderId,
    bookingId: randomUUID(),
    ...party,
    amount,
    purchase,
    holdBefore,
  });
  await handle(mandateId, { type: 'Consume', orderId });
};

const own = [];
for (let place = 0; place < atOnce; place += 1) own.push(await grant());
console.log = () => undefined; // the store prints the errors that are counted here

const failures = {};
let [left, done] = [pairs, 0];
const buyer = async (mandateId) => {
  while (left > 0) {
    left -= 1;
    try {
      await charge(mandateId);
      done += 1;
    } catch (error) {
      const code = error.code ?? error.name;
      failures[code] = (failures[code] ?? 0) + 1;
    }
  }
};
const start = performance.now();
await Promise.all(own.map(buyer));
const perSecond = (done / (performance.now() - start)) * 1_000;
process.stdout.write(`${JSON.stringify({ perSecond, failures })}\n`);
