/** The API on a machine whose clock jumps: each SIGUSR2 puts it forwards by so many ms, and back again. */
import process from 'node:process';

/** Less than the five minutes that a later start accepts (docs/consistency.md, rule 16). */
const AHEAD = 40_000;

let ahead = 0;
const RealDate = Date;
const readClock = RealDate.now.bind(RealDate);
const now = () => readClock() + ahead;
// gRPC compares `new Date()` with it: with two clocks, every question to a cluster comes too late.
if (process.env['EVENTSTORE_URL'])
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given) => (given.length === 0 ? new real(now()) : (Reflect.construct(real, given) as Date)),
    get: (real, name) => (name === 'now' ? now : (Reflect.get(real, name) as unknown)),
  });
else Date.now = now;
process.on('SIGUSR2', () => (ahead = AHEAD - ahead));
await import('../../apps/api/src/main.js');
