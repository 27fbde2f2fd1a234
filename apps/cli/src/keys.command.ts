import type { Command } from 'commander';
import type { Config } from '#config';
import { type KeyRegistry, type ListedKey, openKeyRegistry } from '#oauth';
import { oauthSettings } from '#runtime';
import { type Cli, json, type Line, told, withStores } from './command-line.js';

/** Does `work` on the signing keys. @throws UnusableFile */
const withKeys = <Result>(config: Config, work: (keys: KeyRegistry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openKeyRegistry(ports, oauthSettings(config))));

const line = ({ kid, createdAt, verifiesUntil }: ListedKey): Line => [
  kid,
  `made ${createdAt}, ${verifiesUntil === null ? 'signs' : `verifies until ${verifiesUntil}`}`,
];

/** `alcada keys`: what signs the access tokens. */
export const addKeysCommands = (program: Command, { config, write }: Cli): void => {
  const keys = program.command('keys').description('the keys that sign access tokens');

  keys
    .command('list')
    .description('list the signing keys in force')
    .option('--json', 'answer one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const listed = await withKeys(config(), (registry) => registry.list());
      const heading = listed.length > 0 ? 'Signing keys.' : 'No signing keys.';
      write(options.json ? json(listed) : told(heading, listed.map(line)));
    });

  keys
    .command('rotate')
    .description('make a new signing key; the old one verifies until its tokens have expired')
    .option('--json', 'answer one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const listed = await withKeys(config(), (registry) => registry.rotate());
      write(
        options.json
          ? json(listed)
          : told('New signing key; the ones before verify what they signed.', listed.map(line)),
      );
    });
};
