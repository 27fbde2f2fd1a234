import { parseArgs } from 'node:util';
import { connections } from './connections.js';
import { deploy } from './deploy.js';
import { fixture } from './fixture.js';
import { soak } from './soak.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' } },
});

const PROGRAMS: Readonly<Record<string, (argument: string) => Promise<unknown>>> = {
  lasting: () => soak(Number(values.minutes)),
  connections,
  deploy,
  fixture,
};

/**
 * `npm run soak [-- --minutes 10]`: mixed traffic that lasts. `npm run soak -- connections [kind]`: many connections.
 * `npm run soak -- deploy <commit>`: another commit and this one side by side, on servers. `npm run soak -- fixture <commit>`:
 * the data folder that test/soak/upgrade.spec.ts starts on.
 */
const [name = 'lasting', argument = ''] = positionals;
const program = PROGRAMS[name];
if (!program) throw new Error(`${name}: one of ${Object.keys(PROGRAMS).join(', ')}`);
if ((await program(argument)) === false) process.exitCode = 1;
