#!/usr/bin/env node
import { InvalidConfig, readConfig } from '#config';
import { UnusableFile } from '#sqlite';
import { client } from './client/client.command.js';
import { type Command, UsageError, usageOf } from './command.js';
import { demo } from './demo/demo.command.js';
import { keys } from './keys/keys.command.js';
import { rebuild } from './rebuild/rebuild.command.js';
import { traveller } from './traveller/traveller.command.js';

const COMMANDS: Readonly<Record<string, Command>> = { demo, client, traveller, keys, rebuild };

const HINT = `
Commands read the environment that the server reads. Without EVENTSTORE_URL and MONGODB_URL those on clients, travellers, keys
and read models need it stopped. With --json they answer one JSON document, for programs. Exit codes: 0 done, 1 refused, 2 not understood, 78 configuration or data folder.
`;

/** BSD sysexits, EX_CONFIG. */
const EX_CONFIG = 78;

const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError) return 2;
  return error instanceof InvalidConfig || error instanceof UnusableFile ? EX_CONFIG : 1;
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
try {
  if (!command) throw new UsageError(name === '' ? 'which command?' : 'there is no such command');
  await command.run({ args, config: readConfig(), write: (text) => process.stdout.write(text) });
} catch (error) {
  process.stderr.write(
    `${['alcada', name].join(' ').trim()}: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  if (error instanceof UsageError) {
    process.stderr.write(`\n${usageOf(command ? [command] : Object.values(COMMANDS))}${HINT}`);
  }
  process.exitCode = exitCodeOf(error);
}
