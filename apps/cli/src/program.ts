import { Command } from 'commander';
import type { Cli } from './command-line.js';
import { addClientCommands } from './client.command.js';
import { addDemoCommand } from './demo/demo.command.js';
import { addKeysCommands } from './keys.command.js';
import { addRebuildCommand } from './rebuild.command.js';
import { addTravellerCommands } from './traveller.command.js';

const HINT = `
Commands read the environment that the server reads. Without EVENTSTORE_URL and MONGODB_URL
those on clients, travellers, keys and read models need the server stopped.
With --json they answer one JSON document, for programs.
Exit codes: 0 done, 1 refused, 2 not understood, 78 configuration or data folder.
`;

/** The command `alcada`. A command line that is not understood, or asks for help, throws a CommanderError. */
export const createProgram = (cli: Cli): Command => {
  const program = new Command('alcada').exitOverride().showHelpAfterError().addHelpText('afterAll', HINT);
  addDemoCommand(program, cli);
  addClientCommands(program, cli);
  addTravellerCommands(program, cli);
  addKeysCommands(program, cli);
  addRebuildCommand(program, cli);
  return program;
};
