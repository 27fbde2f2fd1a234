import type { Command } from 'commander';
import type { Config } from '#config';
import { type KeyRegistry, type ListedKey, openKeyRegistry } from '#oauth';
import { oauthSettings } from '#runtime';
import { type Cli, json, type Line, report, withStores } from './command-line.js';

/** Runs `work` on the signing keys. @throws UnusableFile */
const withKeys = <Result>(config: Config, work: (keys: KeyRegistry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openKeyRegistry(ports, oauthSettings(config))));

const line = ({ kid, createdAt, verifiesUntil }: ListedKey): Line => [
  kid,
  `made ${createdAt}, ${verifiesUntil === null ? 'signs' : `verifies until ${verifiesUntil}`}`,
];

/** `alcada keys`: the keys that sign access tokens. */
export const addKeysCommands = (program: Command, { config, write }: Cli): void => {
  const keys = program.command('keys').description('manage the keys that sign access tokens');

  keys
    .command('list')
    .description('list the current signing keys')
    .option('--json', 'print one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const listed = await withKeys(config(), (registry) => registry.list());
      const heading = listed.length > 0 ? 'Signing keys.' : 'No signing keys.';
      write(options.json ? json(listed) : report(heading, listed.map(line)));
    });

  keys
    .command('rotate')
    .description('create a signing key; the old one still verifies until its tokens expire')
    .option('--json', 'print one JSON document')
    .action(async (options: { readonly json?: true }) => {
      const listed = await withKeys(config(), (registry) => registry.rotate());
      write(
        options.json
          ? json(listed)
          : report('New signing key. The older ones still verify what they signed.', listed.map(line)),
      );
    });
};
