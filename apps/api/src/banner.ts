import { type Config, masked } from '#config';
import { baseUrlsFor } from '#http';

/** What a person who starts the service needs to know. Secrets are shown only where they are the public demo ones. */
export const banner = (config: Config, origin: string): string => {
  const { addresses, pilot, travellers, production, playground } = config;
  // Where the port was left to the system, the addresses in force are those of the one it gave.
  const { base, auth, site } = baseUrlsFor(addresses, new URL(origin).host);
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
    ...(playground ? [`  Playground      ${auth}/oauth/playground`] : []),
    `  Listens on      ${origin}`,
    ...dataLines(config),
    ...demo,
    '',
    '',
  ].join('\n');
};

/** Where the data are: a folder, or servers, whose credentials are nobody's business. */
export const dataLines = ({ dataDir, servers }: Pick<Config, 'dataDir' | 'servers'>): readonly string[] =>
  servers === null
    ? [`  Data            ${dataDir}`]
    : [`  Event log       ${masked(servers.eventStore.url)}`, `  Documents       ${masked(servers.mongodb.url)}`];
