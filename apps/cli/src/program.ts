import { Command } from 'commander';
import { VERSION } from '#runtime';
import type { Cli } from './command-line.js';
import { addAuditorCommands } from './auditor.command.js';
import { addAuditCommands } from './audit/audit.command.js';
import { addBackupCommands } from './backup/backup.command.js';
import { addEndAccessCommand } from './backup/end-access.command.js';
import { addClientCommands } from './client.command.js';
import { addDemoCommand } from './demo/demo.command.js';
import { addDoctorCommand } from './doctor/doctor.command.js';
import { addEraseCommand } from './erase.command.js';
import { addKeysCommands } from './keys.command.js';
import { addRebuildCommand } from './rebuild.command.js';
import { addReplayCommand } from './replay/replay.command.js';
import { addStatusCommand } from './status.command.js';
import { addTlogCommands } from './tlog.command.js';
import { addTravellerCommands } from './traveller.command.js';

const HINT = `
alcada help <command> and alcada <command> --help say more of each. Commands read the same environment
variables as the server. With --json a command prints one JSON document, for programs.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 78 unusable configuration or data folder.
`;

/** What is said of the commands that change embedded stores. The others read, and may run beside the server. */
const ALONE = `
The stores belong to one process at a time: stop the server first, unless EVENTSTORE_URL and MONGODB_URL are set.`;

/** The command `alcada`. A command line that is not understood, or asks for help, throws a CommanderError. */
export const createProgram = (cli: Cli): Command => {
  const output = { writeOut: cli.write, writeErr: (text: string) => void cli.stderr.write(text) };
  const program = new Command('alcada').exitOverride().configureOutput(output).version(VERSION);
  program.description('Commands for who runs Alçada.').addHelpText('after', HINT);
  addDemoCommand(program, cli);
  addStatusCommand(program, cli);
  addDoctorCommand(program, cli);
  addBackupCommands(program, cli);
  addClientCommands(program, cli);
  addTravellerCommands(program, cli);
  addAuditorCommands(program, cli);
  addEraseCommand(program, cli);
  addEndAccessCommand(program, cli);
  addKeysCommands(program, cli);
  addTlogCommands(program, cli);
  addRebuildCommand(program, cli);
  addAuditCommands(program, cli);
  addReplayCommand(program, cli);
  for (const command of leavesOf(program)) explain(command);
  return program;
};

/** The commands that do something. */
const leavesOf = (command: Command): readonly Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(leavesOf),
];

/** Says who may use it when, and to who used it wrongly how it is used: that one command, and not all about it. */
const explain = (command: Command): void => {
  const usage = command.createHelp().commandUsage(command);
  const [, ...path] = usage.replace(/ [[<].*/, '').split(' ');
  if (CHANGING.has(path.join(' '))) command.addHelpText('after', ALONE);
  command.showHelpAfterError(`Usage: ${usage}\n       alcada ${path.join(' ')} --help   says more`);
};

/** The commands that change stores. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['add', 'rotate-secret', 'replace-keys', 'remove'].map((verb) => `client ${verb}`),
  ...['add', 'set-password', 'remove'].map((verb) => `traveller ${verb}`),
  ...['add', 'remove'].map((verb) => `auditor ${verb}`),
  'erase',
  'end-access',
  ...['rotate', 'revoke', 'reencrypt'].map((verb) => `keys ${verb}`),
  ...['begin', 'rotate', 'retire'].map((verb) => `tlog ${verb}`),
  'rebuild',
]);
