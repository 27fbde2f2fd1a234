#!/usr/bin/env node
import { OWNER_ONLY } from '#runtime';
import { run } from './run.js';

process.umask(OWNER_ONLY);
process.exitCode = await run(process.argv.slice(2), process);
