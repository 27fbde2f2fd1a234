import { commandOf, type Invocation } from '../command.js';
import { argumentsIn } from '../arguments.js';
import { json, type Line, told } from '../output.js';
import { withRegistry } from '../registry.js';

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** A secret is shown here and never again. */
const secretLine = (secret: string | null): Line =>
  secret === null
    ? ['client secret', 'none: a public client']
    : ['client secret', `${secret}   (shown only now: keep it)`];

const add = async ({ args, config, write }: Invocation): Promise<void> => {
  const { positionals, values } = argumentsIn(args, ['the client id'], {
    ...JSON_OPTION,
    name: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true, default: [] },
    public: { type: 'boolean', default: false },
  });
  const [clientId = ''] = positionals;
  const { name = clientId, 'redirect-uri': redirectUris, public: isPublic } = values;
  const client = { clientId, name, redirectUris, isPublic };
  const secret = await withRegistry(config, ({ clients }) => clients.add(client));
  const lines: readonly Line[] = [
    ['client id', clientId],
    secretLine(secret),
    ['name', name],
    ...redirectUris.map((uri): Line => ['redirect URI', uri]),
  ];
  write(values.json ? json({ ...client, secret }) : told('Client registered.', lines));
};

const list = async ({ args, config, write }: Invocation): Promise<void> => {
  const { values } = argumentsIn(args, [], JSON_OPTION);
  const clients = await withRegistry(config, (registry) => registry.clients.list());
  if (values.json) write(json(clients));
  else if (clients.length === 0) write(told('No clients.'));
  for (const { clientId, name, redirectUris, isPublic, isPilot } of values.json ? [] : clients) {
    const kind = isPilot ? 'pilot, its secret is published' : isPublic ? 'public' : 'confidential';
    write(told(clientId, [['name', name], ['kind', kind], ...redirectUris.map((uri): Line => ['redirect URI', uri])]));
  }
};

const rotateSecret = async ({ args, config, write }: Invocation): Promise<void> => {
  const { positionals, values } = argumentsIn(args, ['the client id'], JSON_OPTION);
  const [clientId = ''] = positionals;
  const secret = await withRegistry(config, ({ clients }) => clients.rotateSecret(clientId));
  const lines = [['client id', clientId], secretLine(secret)] as const;
  write(values.json ? json({ clientId, secret }) : told('New secret; the one before is worth nothing now.', lines));
};

const remove = async ({ args, config, write }: Invocation): Promise<void> => {
  const { positionals, values } = argumentsIn(args, ['the client id'], JSON_OPTION);
  const [clientId = ''] = positionals;
  const endedGrants = await withRegistry(config, ({ clients }) => clients.remove(clientId));
  const heading = 'Client removed; its tokens are worth nothing now.';
  const lines = [
    ['client id', clientId],
    ['grants ended', endedGrants.toString()],
  ] as const;
  write(values.json ? json({ clientId, endedGrants }) : told(heading, lines));
};

/** `alcada client`: the agents that may ask travellers for access. */
export const client = commandOf(
  [
    ['client add <id> --redirect-uri <uri>... [--name <name>] [--public]', 'register an agent; shows its secret, once'],
    ['client list', 'the agents registered'],
    ['client rotate-secret <id>', 'give an agent another secret; shows it, once'],
    ['client remove <id>', 'remove an agent and end all that was granted to it'],
  ],
  { add, list, 'rotate-secret': rotateSecret, remove },
);
