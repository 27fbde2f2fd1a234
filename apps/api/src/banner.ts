import type { Config } from '#config';
import { baseUrlsFor } from '#http';
import { storeLines } from '#runtime';
import { fingerprintOf } from '#transparency';
import type { VerifierKey } from '#verifier';

/** What a person who starts the service needs to know. Only the secrets of the public demo are shown. */
export const banner = (config: Config, origin: string, signers: readonly VerifierKey[]): string => {
  const { addresses, pilot, travellers, production, playground } = config;
  // If the system chose the port, the addresses carry that port.
  const { base, auth, site } = baseUrlsFor(addresses, new URL(origin).host);
  const demo = production
    ? []
    : [
        '',
        `  Pilot client    ${pilot.clientId} / ${pilot.secret}`,
        ...travellers.map(({ email, password }) => `  Demo traveller  ${email} / ${password}`),
        '',
        '  Make a complete purchase from another terminal:  npm run demo',
      ];
  return [
    '',
    'Alçada is running.',
    '',
    `  API             ${base}`,
    `  Documentation   ${site}/docs`,
    `  OpenAPI         ${base}/openapi.json`,
    `  Authorization   ${auth}/.well-known/oauth-authorization-server`,
    ...(playground ? [`  Playground      ${auth}/oauth/playground`] : []),
    `  Log of events   ${site}/tlog`,
    // So that it can be pinned elsewhere: whoever has it notices another key.
    ...signers.map((key) => `  Its key         SHA-256 ${fingerprintOf(key)}`),
    `  Listens on      ${origin}`,
    ...storeLines(config),
    ...demo,
    '',
    '',
  ].join('\n');
};
