import type { Command } from 'commander';
import type { Config } from '#config';
import { type KeyRegistry, type ListedKey, openKeyRegistry } from '#oauth';
import { oauthSettings } from '#runtime';
import { reencryptPastLogs, reencryptTlogKeys, TLOG_KEYS } from '#transparency';
import { KeptCards } from '#ucp';
import { reencryptWebhooks } from '#outbox';
import { type Cli, type JsonOption, type Line, printed, withStores, withStoresToRead } from './command-line.js';

/** Runs `work` on the signing keys. @throws UnusableFile */
const withKeys = <Result>(config: Config, work: (keys: KeyRegistry) => Promise<Result>): Promise<Result> =>
  withStores(config, async (ports) => work(await openKeyRegistry(ports, oauthSettings(config))));

const line = ({ kid, signs, createdAt, state, signsFrom, verifiesUntil }: ListedKey): Line => {
  const until = verifiesUntil === null ? '' : `, verifies until ${verifiesUntil}`;
  const of = signs === 'messages' ? 'of messages, ' : '';
  return [
    kid,
    `${of}made ${createdAt}, ${{ signs: 'signs', next: `signs from ${signsFrom}`, retired: 'retired' }[state]}${until}`,
  ];
};

/** `alcada keys`: the keys that sign access tokens and messages, and what encrypts them. */
export const defineKeys = (keys: Command, { config, write }: Cli): void => {
  keys
    .command('list')
    .description('list the current signing keys')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const listed = await withStoresToRead(settings, async (ports) =>
        (await openKeyRegistry(ports, oauthSettings(settings))).list(),
      );
      const heading = listed.length > 0 ? 'Signing keys.' : 'No signing keys.';
      write(printed(options, listed, heading, listed.map(line)));
    });

  keys
    .command('rotate')
    .description('create a signing key; it signs once it is known everywhere, and the old one still verifies then')
    .action(async (options: JsonOption) => {
      const listed = await withKeys(await config(), (registry) => registry.rotate());
      const heading = 'New signing key. The older ones still verify what they signed.';
      write(printed(options, listed, heading, listed.map(line)));
    });

  keys
    .command('revoke')
    .description('withdraw a stolen signing key: what it signed is refused at once, and a new one signs')
    .argument('<kid>', 'the key id, as the list has it; after -- where it begins with a dash')
    .action(async (kid: string, options: JsonOption) => {
      const listed = await withKeys(await config(), (registry) => registry.revoke(kid));
      write(printed(options, listed, 'Signing key withdrawn. What it signed is refused.', listed.map(line)));
    });

  keys
    .command('reencrypt')
    .description('encrypt the stored keys under KEY_ENCRYPTION_KEY; KEY_ENCRYPTION_KEY_PREVIOUS is the one before')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const reencrypted = await withStores(settings, async (ports) => {
        const { documents } = ports;
        const changed = await (await openKeyRegistry(ports, oauthSettings(settings))).reencrypt();
        await documents.prepare(TLOG_KEYS);
        const sealing = settings.keyEncryptionKeys;
        const ofLogs = (await reencryptTlogKeys(documents, sealing)) + (await reencryptPastLogs(documents, sealing));
        const ofTokens = await new KeptCards(documents, sealing).reencrypt();
        return changed + ofLogs + ofTokens + (await reencryptWebhooks(documents, sealing));
      });
      const heading = 'All stored keys are encrypted under KEY_ENCRYPTION_KEY. KEY_ENCRYPTION_KEY_PREVIOUS can go.';
      write(printed(options, { reencrypted }, heading, [['changed now', reencrypted.toString()]]));
    });
};
