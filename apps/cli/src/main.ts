#!/usr/bin/env node
import { readConfig } from '#config';
import { EX_CONFIG, operatorMessage } from '#runtime';
import { client } from './client/client.command.js';
import { type Command, UsageError, usageOf } from './command.js';
import { demo } from './demo/demo.command.js';
import { keys } from './keys/keys.command.js';
import { rebuild } from './rebuild/rebuild.command.js';
import { traveller } from './traveller/traveller.command.js';

const COMMANDS: Readonly<Record<string, Command>> = { demo, client, traveller, keys, rebuild };

const HINT = `
Commands read the environment that the server reads. Without EVENTSTORE_URL and MONGODB_URL
those on clients, travellers, keys and read models need the server stopped.
With --json they answer one JSON document, for programs.
Exit codes: 0 done, 1 refused, 2 not understood, 78 configuration or data folder.
`;

/** What asks how commands are used, of all or of one. */
const HELP: readonly string[] = ['help', '--help', '-h'];

const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError) return 2;
  return operatorMessage(error) === null ? 1 : EX_CONFIG;
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
const isHelpAsked = HELP.includes(name) || (command !== undefined && HELP.includes(args[0] ?? ''));
const usage = (): string => `${usageOf(command ? [command] : Object.values(COMMANDS))}${HINT}`;
try {
  if (isHelpAsked) process.stdout.write(usage());
  else if (!command) throw new UsageError(name === '' ? 'which command?' : 'there is no such command');
  else await command.run({ args, config: readConfig(), write: (text) => process.stdout.write(text) });
} catch (error) {
  process.stderr.write(
    `${['alcada', name].join(' ').trim()}: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  if (error instanceof UsageError) process.stderr.write(`\n${usage()}`);
  process.exitCode = exitCodeOf(error);
}
