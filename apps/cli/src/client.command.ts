import { readFile } from 'node:fs/promises';
import { type ClientKeys, clientKeysIn, type ListedClient } from '#oauth';
import type { Command } from 'commander';
import {
  type Cli,
  json,
  type JsonOption,
  type Line,
  operated,
  report,
  printed,
  withRegistryToRead,
} from './command-line.js';

const idLine = (clientId: string): Line => ['client id', clientId];

/** The secret, which is never shown again. */
const secretLine = (secret: string): Line => ['client secret', `${secret}   (shown only now: keep it)`];

type Registered = Pick<ListedClient, 'isPublic'> & Partial<ListedClient>;

const kindOf = ({ isPublic, isPilot, jwks, jwksUri }: Registered): string => {
  if (isPilot) return 'pilot, its secret is published';
  if (isPublic) return 'public';
  if (jwksUri !== undefined) return `signs with the keys at ${jwksUri}`;
  return jwks ? `signs with ${jwks.keys.map(keyName).join(', ')}` : 'confidential';
};

const keyName = ({ kty, kid }: ClientKeys['keys'][number]): string => kid ?? kty;

const requirementLines = ({ requirePar, requireDpop }: Registered): readonly Line[] => [
  ...(requirePar ? ([['requests', 'must be pushed (PAR)']] as const) : []),
  ...(requireDpop ? ([['tokens', 'must be bound to a key (DPoP)']] as const) : []),
];

/** @throws Error of the system or of JSON, and what `clientKeysIn` throws */
const keysIn = async (file: string): Promise<ClientKeys> => clientKeysIn(JSON.parse(await readFile(file, 'utf8')));

/** How a client came to be known that nobody registered. */
const STRANGERS = { metadata: 'known by its document alone', dynamic: 'registered itself' } as const;

const strangerLines = ({ registration, metadataUrl, keptUntil }: ListedClient): readonly Line[] => [
  ...(registration ? [['unverified', STRANGERS[registration]] as const] : []),
  ...(metadataUrl === undefined ? [] : [['document', metadataUrl] as const]),
  ...(keptUntil === undefined ? [] : [['kept until', keptUntil] as const]),
];

interface AddOptions extends JsonOption {
  readonly name?: string;
  readonly redirectUri?: readonly string[];
  readonly public?: true;
  readonly jwks?: string;
  readonly jwksUri?: string;
  readonly requirePar?: true;
  readonly requireDpop?: true;
}

/** `alcada client`: the agents that may ask travellers for access. */
export const defineClient = (client: Command, cli: Cli): void => {
  const { config, write } = cli;
  client
    .command('add')
    .description('register an agent and show its secret, once')
    .argument('<id>', 'the client id')
    .option('--redirect-uri <uri>', 'where travellers return after they decide; may be repeated', appended)
    .option('--name <name>', 'the name that travellers see (default: the client id)')
    .option('--public', 'for an agent that cannot keep a secret')
    .option('--jwks <file>', 'for an agent that signs with keys instead of sending a secret: its public ones (JWKS)')
    .option('--jwks-uri <url>', 'the same, where its keys are at an https address of its own')
    .option('--require-par', 'refuse its authorization requests unless it pushes them')
    .option('--require-dpop', 'refuse its token requests unless they bind the token to a key')
    .action(async (clientId: string, options: AddOptions) => {
      const { name = clientId, redirectUri: redirectUris = [], public: isPublic = false, json: _, ...rest } = options;
      const { jwks: file, ...requirements } = rest;
      const keys = file === undefined ? {} : { jwks: await keysIn(file) };
      const client = { clientId, name, redirectUris, isPublic, ...requirements, ...keys };
      const secret = await operated(cli, 'client add', client);
      const lines: readonly Line[] = [
        idLine(clientId),
        secret === null ? ['kind', kindOf(client)] : secretLine(secret),
        ['name', name],
        ...redirectUris.map((uri): Line => ['redirect URI', uri]),
        ...requirementLines(client),
      ];
      write(printed(options, { ...client, secret }, 'Client registered.', lines));
    });

  client
    .command('list')
    .description('list the agents')
    .action(async (options: JsonOption) => {
      const clients = await withRegistryToRead(await config(), (registry) => registry.clients.list());
      if (options.json) write(json(clients));
      else if (clients.length === 0) write(report('No clients.'));
      for (const client of options.json ? [] : clients) {
        const uris = client.redirectUris.map((uri): Line => ['redirect URI', uri]);
        const lines: readonly Line[] = [
          ['name', client.name],
          ['kind', kindOf(client)],
          ...strangerLines(client),
          ...uris,
          ...requirementLines(client),
        ];
        write(report(client.clientId, lines));
      }
    });

  client
    .command('rotate-secret')
    .description('replace the secret of an agent and show the new one, once')
    .argument('<id>', 'the client id')
    .action(async (clientId: string, options: JsonOption) => {
      const secret = await operated(cli, 'client rotate-secret', clientId);
      const lines = [idLine(clientId), secretLine(secret)];
      write(printed(options, { clientId, secret }, 'New secret; the old one no longer works.', lines));
    });

  client
    .command('replace-keys')
    .description('replace the keys of an agent that signs with them')
    .argument('<id>', 'the client id')
    .requiredOption('--jwks <file>', 'its public keys (JWKS)')
    .action(async (clientId: string, options: JsonOption & { readonly jwks: string }) => {
      const jwks = await keysIn(options.jwks);
      await operated(cli, 'client replace-keys', { clientId, jwks });
      const kind = kindOf({ isPublic: false, jwks });
      const lines: readonly Line[] = [idLine(clientId), ['kind', kind]];
      write(printed(options, { clientId, jwks }, 'New keys; the old ones no longer work.', lines));
    });

  client
    .command('remove')
    .description('remove an agent and revoke everything granted to it')
    .argument('<id>', 'the client id')
    .action(async (clientId: string, options: JsonOption) => {
      const ended = await operated(cli, 'client remove', clientId);
      const lines: readonly Line[] = [
        idLine(clientId),
        ['grants ended', `${ended.endedGrants}`],
        ['travellers', `${ended.endedAgents} had let it in; its mandates end, and its webhooks once they were told`],
      ];
      write(printed(options, { clientId, ...ended }, 'Client removed; its tokens no longer work.', lines));
    });
};

const appended = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
