import { commands } from './peers/commands.js';
import { routes } from './peers/routes.js';
import { tokens } from './peers/tokens.js';

const PEERS = { commands, routes, tokens } as const;
const isPeer = (name: string): name is keyof typeof PEERS => Object.hasOwn(PEERS, name);

/** What others do of the same, in one run with ours; `only` one of the three kinds. */
export const peers = async (only = ''): Promise<void> => {
  if (isPeer(only)) return PEERS[only]();
  for (const bench of Object.values(PEERS)) await bench();
};
