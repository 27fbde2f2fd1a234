import type { Command } from 'commander';
import { type Cli, json, type Line, report, withRegistry, withRegistryToRead } from './command-line.js';

/** The secret, which is never shown again. */
const secretLine = (secret: string | null): Line =>
  secret === null
    ? ['client secret', 'none: a public client']
    : ['client secret', `${secret}   (shown only now: keep it)`];

interface AddOptions {
  readonly name?: string;
  readonly redirectUri?: readonly string[];
  readonly public?: true;
  readonly json?: true;
}

interface JsonOption {
  readonly json?: true;
}

/** `alcada client`: the agents that may ask travellers for access. */
export const addClientCommands = (program: Command, { config, write }: Cli): void => {
  const client = program.command('client').description('manage the agents that may ask travellers for access');

  client
    .command('add')
    .description('register an agent and show its secret, once')
    .argument('<id>', 'the client id')
    .option('--redirect-uri <uri>', 'where travellers return after they decide; may be repeated', appended)
    .option('--name <name>', 'the name that travellers see (default: the client id)')
    .option('--public', 'for an agent that cannot keep a secret')
    .option('--json', 'print one JSON document')
    .action(async (clientId: string, options: AddOptions) => {
      const { name = clientId, redirectUri: redirectUris = [], public: isPublic = false } = options;
      const client = { clientId, name, redirectUris, isPublic };
      const secret = await withRegistry(config(), ({ clients }) => clients.add(client));
      const lines: readonly Line[] = [
        ['client id', clientId],
        secretLine(secret),
        ['name', name],
        ...redirectUris.map((uri): Line => ['redirect URI', uri]),
      ];
      write(options.json ? json({ ...client, secret }) : report('Client registered.', lines));
    });

  client
    .command('list')
    .description('list the agents')
    .option('--json', 'print one JSON document')
    .action(async (options: JsonOption) => {
      const clients = await withRegistryToRead(config(), (registry) => registry.clients.list());
      if (options.json) write(json(clients));
      else if (clients.length === 0) write(report('No clients.'));
      for (const { clientId, name, redirectUris, isPublic, isPilot } of options.json ? [] : clients) {
        const kind = isPilot ? 'pilot, its secret is published' : isPublic ? 'public' : 'confidential';
        const uris = redirectUris.map((uri): Line => ['redirect URI', uri]);
        write(report(clientId, [['name', name], ['kind', kind], ...uris]));
      }
    });

  client
    .command('rotate-secret')
    .description('replace the secret of an agent and show the new one, once')
    .argument('<id>', 'the client id')
    .option('--json', 'print one JSON document')
    .action(async (clientId: string, options: JsonOption) => {
      const secret = await withRegistry(config(), ({ clients }) => clients.rotateSecret(clientId));
      const lines = [['client id', clientId], secretLine(secret)] as const;
      write(options.json ? json({ clientId, secret }) : report('New secret; the old one no longer works.', lines));
    });

  client
    .command('remove')
    .description('remove an agent and revoke everything granted to it')
    .argument('<id>', 'the client id')
    .option('--json', 'print one JSON document')
    .action(async (clientId: string, options: JsonOption) => {
      const endedGrants = await withRegistry(config(), ({ clients }) => clients.remove(clientId));
      const lines: readonly Line[] = [
        ['client id', clientId],
        ['grants ended', endedGrants.toString()],
      ];
      write(
        options.json ? json({ clientId, endedGrants }) : report('Client removed; its tokens no longer work.', lines),
      );
    });
};

const appended = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
