/** `npm run check:citations`: every document, section and rule that a comment or a document cites is in the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { brokenIn } from './citations.js';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(existsSync);
const broken = brokenIn(tracked);
for (const line of broken) process.stderr.write(`not in the repository: ${line}\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
