import { connections } from './connections.js';
import { deploy } from './deploy.js';
import { fixture } from './fixture.js';

const PROGRAMS: Readonly<Record<string, (argument: string) => Promise<unknown>>> = { connections, deploy, fixture };

/**
 * `npm run soak -- connections [kind]`: many connections. `npm run soak -- deploy <commit>`: another commit and this one side
 * by side, on servers. `npm run soak -- fixture <commit>`: a data folder that test/soak/upgrade.spec.ts starts on.
 */
const [name = '', argument = ''] = process.argv.slice(2);
const program = PROGRAMS[name];
if (!program) throw new Error(`npm run soak -- ${Object.keys(PROGRAMS).join(' | ')}`);
if ((await program(argument)) === false) process.exitCode = 1;
