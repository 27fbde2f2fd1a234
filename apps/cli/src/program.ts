import { Command } from 'commander';
import type { Config } from '#config';
import { addClientCommands } from './client/client.command.js';
import { addDemoCommand } from './demo/demo.command.js';
import { addKeysCommands } from './keys/keys.command.js';
import { addRebuildCommand } from './rebuild/rebuild.command.js';
import { addTravellerCommands } from './traveller/traveller.command.js';

/** What commands work with. */
export interface Cli {
  /** Reads the configuration, which help does not need. @throws InvalidConfig */
  readonly config: () => Config;
  /** Writes to standard output. */
  readonly write: (text: string) => void;
}

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
