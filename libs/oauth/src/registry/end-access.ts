import type { Documents } from '#documents';
import { Accounts, AUDITORS, Passwords, Sessions } from '#identity';
import type { Clock, Ids } from '#kernel';
import { AuthorizationRequests } from '../authorize/authorization-requests.js';
import { Consents } from '../authorize/remembered-consents.js';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { Grants } from '../grants/grants.js';
import { MessageKeys, SigningKeys } from '../keys/signing-keys.js';
import type { OAuthSettings } from '../oauth-settings.js';

export interface EndedAccess {
  /** Grants that were in force, and the refresh tokens of these. */
  readonly grants: number;
  readonly refreshTokens: number;
  readonly codes: number;
  /** Authorization requests, pushed or waiting for a traveller. */
  readonly requests: number;
  readonly consents: number;
  readonly logins: number;
  readonly auditorLogins: number;
  readonly signingKeys: number;
}

/** Ends all sessions, tokens, codes and consents of stores that were put back (docs/adr/0124), keys first. @throws SealBroken */
export const endAccess = async (
  { documents, clock, ids }: { readonly documents: Documents; readonly clock: Clock; readonly ids: Ids },
  settings: OAuthSettings,
): Promise<EndedAccess> => {
  const accounts = new Accounts(documents, ids, new Passwords(settings));
  const [logins, auditorLogins] = [
    new Sessions(documents, clock, accounts),
    new Sessions(documents, clock, accounts, AUDITORS),
  ];
  const rings = [new SigningKeys(documents, clock, settings), new MessageKeys(documents, clock, settings)];
  const [grants, codes] = [new Grants(documents, clock), new AuthorizationCodes(documents, clock)];
  const [requests, consents] = [new AuthorizationRequests(documents, clock), new Consents(documents, clock)];
  for (const collection of [logins, auditorLogins, grants, codes, requests, consents]) await collection.prepare();
  let signingKeys = 0;
  for (const ring of rings) {
    await ring.open();
    signingKeys += await ring.deleteEvery();
  }
  const ended = {
    ...(await grants.forgetEvery()),
    codes: await codes.dropEvery(),
    requests: await requests.dropEvery(),
    consents: await consents.forgetEvery(),
    logins: await logins.endEvery(),
    auditorLogins: await auditorLogins.endEvery(),
    signingKeys,
  };
  // What has expired by this clock would be back by one that is behind it.
  await documents.deleteExpired();
  return ended;
};
