import type { Config } from '#config';

/** What a person who starts the service needs to know. Secrets are shown only where they are the public demo ones. */
export const banner = ({ addresses, pilot, travellers, production, dataDir }: Config, origin: string): string => {
  const { base, auth, site } = addresses.links;
  const demo = production
    ? []
    : [
        '',
        `  Pilot client    ${pilot.clientId} / ${pilot.secret}`,
        ...travellers.map(({ email, password }) => `  Demo traveller  ${email} / ${password}`),
        '',
        '  Try a whole purchase from another terminal:  npm run demo',
      ];
  return [
    '',
    'Alçada is running.',
    '',
    `  API             ${base}`,
    `  Documentation   ${site}/docs`,
    `  OpenAPI         ${base}/openapi.json`,
    `  Authorization   ${auth}/.well-known/oauth-authorization-server`,
    `  Listens on      ${origin}`,
    `  Data            ${dataDir}`,
    ...demo,
    '',
    '',
  ].join('\n');
};
