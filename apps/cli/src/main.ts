#!/usr/bin/env node
import { CommanderError } from 'commander';
import { readConfig } from '#config';
import { EX_CONFIG, operatorMessage, OWNER_ONLY } from '#runtime';
import { createProgram } from './program.js';

/** Exit code of a command line that is not understood. */
const EX_USAGE = 2;

process.umask(OWNER_ONLY);
const program = createProgram({ config: () => readConfig(), write: (text) => process.stdout.write(text) });
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has already written its message, or the help.
    process.exitCode = error.exitCode === 0 ? 0 : EX_USAGE;
  } else {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`alcada ${process.argv[2] ?? ''}: ${message}\n`);
    process.exitCode = operatorMessage(error) === null ? 1 : EX_CONFIG;
  }
}
