import type { Config } from '#config';
import { Accounts, Passwords } from '#identity';
import { ERASED } from '#kernel';
import { oauthSettings, type Ports } from '#runtime';

/** The e-mail of a traveller. Whoever has no account any more is nobody: their data have been erased. */
export const travellerOf = async ({ documents, ids }: Ports, config: Config, holder: string): Promise<string> => {
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings(config)));
  await accounts.prepare();
  return (await accounts.emailOf(holder)) ?? ERASED;
};
