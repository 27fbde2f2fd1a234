import type { Config } from '#config';
import { type KeyRegistry, type ListedKey, openKeyRegistry } from '#oauth';
import { oauthSettings } from '#runtime';
import { argumentsIn } from '../arguments.js';
import { commandOf, type Invocation } from '../command.js';
import { json, type Line, told } from '../output.js';
import { withStores } from '../stores.js';

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** Does `work` on the signing keys. @throws UnusableFile */
const withKeys = <Result>(config: Config, work: (keys: KeyRegistry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openKeyRegistry(ports, oauthSettings(config))));

const line = ({ kid, createdAt, verifiesUntil }: ListedKey): Line => [
  kid,
  `made ${createdAt}, ${verifiesUntil === null ? 'signs' : `verifies until ${verifiesUntil}`}`,
];

const list = async ({ args, config, write }: Invocation): Promise<void> => {
  const { values } = argumentsIn(args, [], JSON_OPTION);
  const keys = await withKeys(config, (registry) => registry.list());
  write(values.json ? json(keys) : told(keys.length > 0 ? 'Signing keys.' : 'No signing keys.', keys.map(line)));
};

const rotate = async ({ args, config, write }: Invocation): Promise<void> => {
  const { values } = argumentsIn(args, [], JSON_OPTION);
  const keys = await withKeys(config, (registry) => registry.rotate());
  write(values.json ? json(keys) : told('New signing key; the ones before verify what they signed.', keys.map(line)));
};

/** `alcada keys`: what signs the access tokens. */
export const keys = commandOf(
  [
    ['keys list', 'the signing keys in force'],
    ['keys rotate', 'make a new signing key; the old one verifies until its tokens have expired'],
  ],
  { list, rotate },
);
