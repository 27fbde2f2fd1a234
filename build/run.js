/**
 * Runs a program of the newest sources, and builds them where they are not: `node build/run.js apps/api/src/main.js`; one of
 * the tests after the word `tests`.
 */
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { inUse } from './builds.js';

const [node, , ...words] = process.argv;
const kind = words[0] === 'tests' ? 'tests' : 'program';
const [program = '', ...args] = kind === 'tests' ? words.slice(1) : words;
const main = join(inUse(kind), program);
process.argv = [node, main, ...args];
await import(pathToFileURL(main).href);
