import type { Config } from '#config';
import { baseUrlsFor } from '#http';
import { mailLine, storeLines } from '#runtime';
import { fingerprintOf } from '#transparency';
import type { VerifierKey } from '#verifier';

/** What a person who starts the service needs to know. Only the secrets of the public demo are shown. */
export const banner = (config: Config, origin: string, signers: readonly VerifierKey[]): string => {
  const { addresses, pilot, travellers, production, playground } = config;
  const { metrics } = config.telemetry;
  // If the system chose the port, the addresses carry that port.
  const { base, auth, site } = baseUrlsFor(addresses, new URL(origin).host);
  const demo = production
    ? []
    : [
        '',
        `  Pilot client    ${pilot.clientId} / ${pilot.secret}`,
        ...travellers.map(({ email, password }) => `  Demo traveller  ${email} / ${password}`),
        '',
        `  Make a complete purchase from another terminal:  ${demoCommand(config, origin)}`,
      ];
  return [
    '',
    'Alçada is running.',
    '',
    `  Flights         ${site}`,
    `  Account         ${site}/conta`,
    ...(playground ? [`  Playground      ${auth}/oauth/playground`] : []),
    `  Dashboard       ${site}/observability`,
    `  Audit pages     ${site}/auditoria`,
    `  Verification    ${site}/verificar`,
    '',
    `  API             ${base}`,
    `  Documentation   ${site}/docs`,
    `  OpenAPI         ${base}/openapi.json`,
    `  MCP             ${site}/mcp`,
    `  WebMCP          ${site}/.well-known/webmcp.json`,
    `  Agents' guide   ${site}/docs/agents`,
    `  Authorization   ${auth}/.well-known/oauth-authorization-server`,
    `  Log of events   ${site}/tlog`,
    // So that it can be pinned elsewhere, and another key is noticed.
    ...signers.map((key) => `  Its key         SHA-256 ${fingerprintOf(key)}`),
    `  Readiness       ${base}/health/ready`,
    ...(metrics ? [`  Metrics         http://${metrics.host}:${metrics.port}/metrics`] : []),
    '',
    `  Listens on      ${origin}`,
    ...storeLines(config),
    mailLine(config),
    ...demo,
    '',
    '',
  ].join('\n');
};

/** How the demo finds this service: where it listens on another port than the usual one, or has addresses of its own. */
const demoCommand = ({ addresses }: Config, origin: string): string => {
  const { port } = new URL(origin);
  if (!addresses.followLoopback) return 'npm run demo   (with the same environment)';
  return port === USUAL_PORT ? 'npm run demo' : `PORT=${port} npm run demo`;
};

const USUAL_PORT = '3000';
