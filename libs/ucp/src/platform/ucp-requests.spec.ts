import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokens, baseUrlsAt } from '#http';
import { type Caller, DomainError } from '#kernel';
import { Clients } from '#oauth';
import { GuardedDocuments, INTERNET } from '#remote';
import { FixedClock } from '#testing';
import { openTestDocuments } from '../../../identity/src/testing/index.js';
import { answerJson, internetOf, serveDocuments } from '../../../remote/src/testing/index.js';
import { agentOf } from '../ids.js';
import { CHECKOUT, ORDER, VERSION } from '../versions.js';
import { type KnownPlatforms, readKnownPlatforms } from './known-platforms.js';
import { OF_PLATFORMS, Platforms } from './platforms.js';
import { UcpRequests } from './ucp-requests.js';

const PROFILE = 'https://agente.example/profile.json';
const OTHER = 'https://outro.example/profile.json';
const TRYING = 'https://spck.dev/agent';
const WEBHOOK = 'https://agente.example/ucp';

const entry = { version: VERSION, spec: 'https://ucp.dev/s', schema: 'https://ucp.dev/j' };
const profileOf = (more: object = {}) => ({
  ucp: {
    version: VERSION,
    services: {},
    payment_handlers: {},
    capabilities: { [CHECKOUT]: [entry], [ORDER]: [{ ...entry, config: { webhook_url: WEBHOOK } }] },
    ...more,
  },
});

/** Tokens are the names of their clients. */
class NamedTokens extends AccessTokens {
  override callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const [, clientId = ''] = headers.authorization?.split(' ') ?? [];
    if (!/^https:|^cimd-/.test(clientId)) return Promise.reject(new DomainError('invalid_token'));
    return Promise.resolve({ holder: 'ana', clientId, scopes: ['receipt:read'], grantId: 'g' });
  }
  override isInForce = () => Promise.resolve(true);
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const noClients = async () => {
  const clients = new Clients(openTestDocuments().documents);
  await clients.prepare();
  return clients;
};

const serving = async (answer: Answer, clock = new FixedClock(), namespace: string | null = null) => {
  const settings = { namespace, traveller: null, ap2: false };
  const server = await serveDocuments(answer);
  ends.push(() => server.close());
  const network = internetOf({ 'agente.example': server.port });
  const documents = new GuardedDocuments(clock, { network, allowsLoopback: false }, OF_PLATFORMS);
  const clients = await noClients();
  const platforms = new Platforms(documents, new Map(), false);
  const requests = new UcpRequests(platforms, new NamedTokens(), clients, clock, settings);
  return { server, clock, requests, clients };
};

/** Where nothing is fetched. */
const local = async (isLocal: boolean, known?: KnownPlatforms) => {
  const settings = { namespace: null, traveller: null, ap2: false };
  const clock = new FixedClock();
  const documents = new GuardedDocuments(clock, { network: INTERNET, allowsLoopback: isLocal }, OF_PLATFORMS);
  const platforms = new Platforms(documents, known ?? (await readKnownPlatforms(null, isLocal)), isLocal);
  return new UcpRequests(platforms, new NamedTokens(), await noClients(), clock, settings);
};

const CAUSE = { correlationId: 'a', causationId: 'b' };
const requestOf = (headers: Readonly<Record<string, string | undefined>>) =>
  ({
    headers,
    urls: baseUrlsAt('https://voos.example'),
    cause: CAUSE,
    method: 'GET',
    url: '/ucp/v1',
    originalUrl: '/ucp/v1',
    bodyAsSent: null,
  }) as unknown as FastifyRequest;
const NO_REPLY = {} as FastifyReply; // only a token that is bound to a key is answered with a head
const agent = (address: string) => `profile="${address}"`;

const asked = (
  requests: UcpRequests,
  headers: Readonly<Record<string, string | undefined>>,
  capability = CHECKOUT,
  profile?: unknown,
) => requests.of(requestOf(headers), NO_REPLY, capability, profile);

const refuses = async (work: Promise<unknown>, status: number, code: string) =>
  expect(await work.catch((error: unknown) => error)).toMatchObject({ status, code });

describe('who asks', () => {
  it('is read from the profile at the address of UCP-Agent, which is fetched once', async () => {
    const { requests, server } = await serving((_, response) => answerJson(response, profileOf()));
    const asking = await asked(requests, { 'ucp-agent': agent(PROFILE) });
    expect(asking).toMatchObject({ proof: null, caller: null, cause: CAUSE });
    expect(asking.platform).toMatchObject({ profile: PROFILE, webhookUrl: WEBHOOK, keys: [] });
    expect([...asking.active]).toEqual([CHECKOUT, ORDER]);
    await asked(requests, { 'ucp-agent': `v=1, profile="${PROFILE}";x, z` }, ORDER);
    await asked(requests, {}, ORDER, PROFILE);
    await asked(requests, { 'ucp-agent': agent(PROFILE) }, ORDER, PROFILE);
    expect(server.asked).toHaveLength(1);
  });

  const SPELLINGS = [
    'HTTPS://AGENTE.example/profile.json',
    'https://agente.example:443/profile.json',
    'https://agente.example./profile.json',
    'https://agente.example/%70rofile%2Ejson',
    'https://agente.example/a/../%2e/profile.json',
    'https://%61gente.example/profile.json',
    'https:agente.example/profile.json',
    'https://@agente.example/profile.json',
  ];

  it.each(SPELLINGS)('is the same however its address is spelled: %s', async (address) => {
    const { requests, server } = await serving((_, response) => answerJson(response, profileOf()));
    for (const one of [PROFILE, address]) {
      const { platform } = await asked(requests, { 'ucp-agent': agent(one) }, CHECKOUT, PROFILE);
      expect(platform.profile).toBe(PROFILE);
    }
    expect(server.asked).toHaveLength(1);
  });

  it('keeps the name by which a traveller let it in before there was one spelling', async () => {
    const { requests, clients } = await serving((_, response) => answerJson(response, profileOf()));
    const [earlier = ''] = SPELLINGS;
    const named = async () => (await asked(requests, { 'ucp-agent': agent(earlier) })).platform.profile;
    expect(await named()).toBe(PROFILE);
    const client = {
      clientId: agentOf({ profile: earlier }),
      name: 'a',
      secretHash: null,
      redirectUris: [],
      pilot: false,
    };
    await clients.add({ ...client, registration: 'metadata', metadataUrl: earlier });
    expect(await named()).toBe(earlier);
  });

  it('has what is escaped in its address for a reason in one spelling too', async () => {
    const { requests } = await serving((_, response) => answerJson(response, profileOf()));
    for (const address of ['https://agente.example/a%2fb?c=%c3%a3', 'https://agente.example/a%2Fb?c=%C3%A3'])
      expect((await asked(requests, { 'ucp-agent': agent(address) })).platform.profile).toBe(
        'https://agente.example/a%2Fb?c=%C3%A3',
      );
  });

  it.each([
    undefined,
    '',
    'profile',
    'profile=https://agente.example/profile.json',
    `Profile="${PROFILE}"`,
    `profile=("${PROFILE}")`,
    `profile=:aHR0cHM6Ly9hZ2VudGUuZXhhbXBsZQ==:`,
    `profile="${PROFILE}`,
    `profile="${PROFILE}", =`,
    agent('http://agente.example/profile.json'),
    agent('http://127.0.0.1:4000/profile.json'),
    agent('ftp://agente.example/'),
    agent('file:///etc/passwd'),
    agent('/profile.json'),
    agent(''),
    agent(`${PROFILE}#a`),
    agent('https://ana@agente.example/'),
    agent('https://agente.example/%zz'),
    agent('https://agente.example/%2%65'),
    agent(`https://agente.example/${'a'.repeat(2_000)}`),
    `${agent(PROFILE)}, ${agent('http://agente.example/')}`,
  ])('is nobody by %s', async (header) => {
    const { requests, server } = await serving((_, response) => answerJson(response, profileOf()));
    await refuses(asked(requests, { 'ucp-agent': header }), 400, 'invalid_profile_url');
    expect(server.connections()).toBe(0);
  });

  it('is nobody by the meta of a call that names no address, or another than its header', async () => {
    const { requests } = await serving((_, response) => answerJson(response, profileOf()));
    for (const profile of [null, 7, {}, 'http://agente.example/', [PROFILE]])
      await refuses(asked(requests, {}, CHECKOUT, profile), 400, 'invalid_profile_url');
    await refuses(asked(requests, { 'ucp-agent': agent(OTHER) }, CHECKOUT, PROFILE), 400, 'invalid_profile_url');
  });

  it.each<[what: string, status: number, code: string, answer: Answer]>([
    ['missing', 424, 'profile_unreachable', (_, response) => response.writeHead(404).end()],
    [
      'somewhere else',
      424,
      'profile_unreachable',
      (_, response) => response.writeHead(302, { location: 'https://agente.example/other.json' }).end(),
    ],
    ['cut off', 424, 'profile_unreachable', (_, response) => response.destroy()],
    [
      'no JSON',
      422,
      'profile_malformed',
      (_, response) => response.setHeader('content-type', 'application/json').end('{'),
    ],
    ['a page', 422, 'profile_malformed', (_, response) => response.setHeader('content-type', 'text/html').end('<p>')],
    [
      'of 65 KiB',
      422,
      'profile_malformed',
      (_, response) => answerJson(response, { ...profileOf(), a: 'a'.repeat(66_560) }),
    ],
    ['without a version', 422, 'profile_malformed', (_, response) => answerJson(response, { ucp: {} })],
    ['of a draft', 422, 'profile_malformed', (_, response) => answerJson(response, profileOf({ version: 'draft' }))],
    [
      'of strange capabilities',
      422,
      'profile_malformed',
      (_, response) => answerJson(response, profileOf({ capabilities: { [CHECKOUT]: entry } })),
    ],
    [
      'of another version',
      422,
      'version_unsupported',
      (_, response) => answerJson(response, profileOf({ version: '2026-01-23' })),
    ],
  ])('is refused where the profile is %s', async (_, status, code, answer) => {
    const { requests, server } = await serving(answer);
    await refuses(asked(requests, { 'ucp-agent': agent(PROFILE) }), status, code);
    await refuses(asked(requests, { 'ucp-agent': agent(PROFILE) }), status, code);
    expect(server.asked).toHaveLength(1);
  });

  it('may send a profile of 64 KiB', async () => {
    const long = { ...profileOf(), a: 'a'.repeat(64_000) };
    const { requests } = await serving((_, response) => answerJson(response, long));
    await expect(asked(requests, { 'ucp-agent': agent(PROFILE) })).resolves.toMatchObject({ proof: null });
  });

  it('cannot have us ask an address that is not public, nor one without a name', async () => {
    const { requests, server } = await serving((_, response) => answerJson(response, profileOf()));
    for (const host of ['169.254.169.254', '10.0.0.1', '[::1]', '127.0.0.1', 'nobody.example'])
      await refuses(asked(requests, { 'ucp-agent': agent(`https://${host}/`) }), 424, 'profile_unreachable');
    expect(server.connections()).toBe(0);
  });

  it('learns in the answer that what it asks for is nothing that both know', async () => {
    const { requests } = await serving((_, response) =>
      answerJson(response, profileOf({ capabilities: { [CHECKOUT]: [{ ...entry, version: '2026-01-23' }] } })),
    );
    const outcome: unknown = await asked(requests, { 'ucp-agent': agent(PROFILE) }).catch((error: unknown) => error);
    expect(outcome).toMatchObject({
      name: 'UcpOutcome',
      answer: {
        ucp: { version: VERSION, status: 'error', capabilities: {} },
        messages: [{ type: 'error', code: 'capabilities_incompatible', severity: 'unrecoverable' }],
        continue_url: 'https://voos.example',
      },
    });
  });

  it('knows our extension where the operator has a domain, and nothing of it without its parents', async () => {
    const flights = 'com.example.shopping.flights';
    const other = {
      'dev.ucp.shopping.catalog.search': [entry],
      [flights]: [entry],
      'org.else.shopping.flights': [entry],
    };
    for (const [namespace, capabilities, active] of [
      ['com.example', { [ORDER]: [entry], ...other }, [ORDER, 'dev.ucp.shopping.catalog.search', flights]],
      ['com.example', other, ['dev.ucp.shopping.catalog.search']],
      [null, { [ORDER]: [entry], ...other }, [ORDER, 'dev.ucp.shopping.catalog.search']],
    ] as const) {
      const answer: Answer = (_, response) => answerJson(response, profileOf({ capabilities }));
      const { requests } = await serving(answer, new FixedClock(), namespace);
      const asking = await asked(requests, { 'ucp-agent': agent(PROFILE) }, 'dev.ucp.shopping.catalog.search');
      expect([...asking.active]).toEqual(active);
    }
  });

  it('is told of orders only at an address of the web', async () => {
    for (const webhook of ['ftp://agente.example/', 'ucp', 7]) {
      const capabilities = { [ORDER]: [{ ...entry, config: { webhook_url: webhook } }] };
      const { requests } = await serving((_, response) => answerJson(response, profileOf({ capabilities })));
      const asking = await asked(requests, { 'ucp-agent': agent(PROFILE) }, ORDER);
      expect(asking.platform.webhookUrl).toBeNull();
    }
  });
});

describe('what proves who asks', () => {
  it('is a token of this platform, and of no other', async () => {
    const { requests } = await serving((_, response) => answerJson(response, profileOf()));
    const headers = { 'ucp-agent': agent(PROFILE) };
    const asking = await asked(requests, { ...headers, authorization: `Bearer ${agentOf({ profile: PROFILE })}` });
    expect(asking).toMatchObject({ proof: 'token', caller: { holder: 'ana' } });
    await refuses(asked(requests, { ...headers, authorization: `Bearer ${PROFILE}` }), 403, 'forbidden');
    await refuses(asked(requests, { ...headers, authorization: `Bearer ${OTHER}` }), 403, 'forbidden');
    await expect(asked(requests, { ...headers, authorization: 'Bearer x' })).rejects.toThrow('invalid_token');
  });

  it('is on a machine of its own that a platform is known there, and elsewhere nothing', async () => {
    const headers = { 'ucp-agent': agent(TRYING.replace('spck', 'SPCK')) };
    await expect(asked(await local(true), headers)).resolves.toMatchObject({ proof: 'known' });
    const known = await readKnownPlatforms(null, true);
    await expect(asked(await local(false, known), headers)).resolves.toMatchObject({ proof: null });
  });
});
