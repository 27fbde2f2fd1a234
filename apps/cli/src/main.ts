#!/usr/bin/env node
import { readConfig } from '#config';
import { demo } from './demo/demo.command.js';

const COMMANDS = { demo };

const USAGE = `usage: alcada <command>

  demo   a whole purchase as an agent does it, against the running server or one of its own
`;

const [name = ''] = process.argv.slice(2);
if (!Object.hasOwn(COMMANDS, name)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
try {
  await COMMANDS[name as keyof typeof COMMANDS](readConfig(), (text) => process.stdout.write(text));
} catch (error) {
  process.stderr.write(`alcada ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
