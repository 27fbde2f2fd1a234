import { Command } from 'commander';
import type { Cli } from './command-line.js';
import { addAuditorCommands } from './auditor.command.js';
import { addAuditCommands } from './audit/audit.command.js';
import { addClientCommands } from './client.command.js';
import { addDemoCommand } from './demo/demo.command.js';
import { addEraseCommand } from './erase.command.js';
import { addKeysCommands } from './keys.command.js';
import { addRebuildCommand } from './rebuild.command.js';
import { addReplayCommand } from './replay/replay.command.js';
import { addTlogCommands } from './tlog.command.js';
import { addTravellerCommands } from './traveller.command.js';

const HINT = `
Commands read the same environment variables as the server. Unless EVENTSTORE_URL and MONGODB_URL
are set, stop the server before you use a client, traveller, auditor, erase, keys, tlog or rebuild command
other than list and key.
With --json a command prints one JSON document, for programs.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 78 unusable configuration or data folder.
`;

/** The command `alcada`. A command line that is not understood, or asks for help, throws a CommanderError. */
export const createProgram = (cli: Cli): Command => {
  const output = { writeOut: cli.write, writeErr: (text: string) => void cli.stderr.write(text) };
  const program = new Command('alcada').exitOverride().configureOutput(output).showHelpAfterError();
  program.addHelpText('afterAll', HINT);
  addDemoCommand(program, cli);
  addClientCommands(program, cli);
  addTravellerCommands(program, cli);
  addAuditorCommands(program, cli);
  addEraseCommand(program, cli);
  addKeysCommands(program, cli);
  addTlogCommands(program, cli);
  addRebuildCommand(program, cli);
  addAuditCommands(program, cli);
  addReplayCommand(program, cli);
  return program;
};
