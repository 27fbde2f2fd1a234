/** The API on a machine whose clock jumps: each SIGUSR2 puts it forwards by so many ms, and back again. */
import process from 'node:process';

/** Less than the five minutes that a later start accepts (docs/consistency.md, rule 16). */
const AHEAD = 40_000;

const now = Date.now.bind(Date);
let ahead = 0;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => (ahead = AHEAD - ahead));
await import('../../apps/api/src/main.js');
