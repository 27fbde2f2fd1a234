#!/usr/bin/env node
import { OWNER_ONLY } from '#runtime/pure';
import { run } from './run.js';

process.umask(OWNER_ONLY);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // As `| head` does: no error, and the end, unless a command has something to stop before.
  if (process.stdout.listenerCount('error') === 1) process.exit();
});
process.exitCode = await run(process.argv.slice(2), process);
