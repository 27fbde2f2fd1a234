import { orders } from './orders.js';
import { reads } from './reads.js';
import { store } from './store.js';
import { telemetry } from './telemetry.js';
import { traffic } from './traffic.js';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = { orders, reads, store, telemetry, traffic };

/** `npm run bench -- <name>`: prints figures; asserts none of them. */
const [name = ''] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench) await bench();
else {
  console.error(`npm run bench -- ${Object.keys(BENCHES).join(' | ')}`);
  process.exitCode = 64; // EX_USAGE
}
