import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openForAll } from '#testing';
import { BEGINNING, type Position } from '#event-store';
import type { RemoteDocument } from '#remote';
import { type MinuteOfTraffic, trafficLog } from '#events';
import { latencyBucket } from '../../libs/traffic/src/testing/index.js';
import { newSigner, signedHeaders } from '../../libs/remote/src/testing/index.js';
import { agentAt, apiAt, tokensFor } from '../support/agent.js';
import { mcp, sendMessage, webmcp } from '../support/doors.js';
import { startServiceInMemory } from '../support/service.js';
import { PlatformAgent } from '../support/ucp.js';

const service = openForAll(() => startServiceInMemory());
let read: Position;

beforeAll(async () => {
  read = (await service.dependencies.events.head())?.position ?? BEGINNING;
});

/** What was captured since the last look, of so many calls at least: an answer arrives before its call is counted. */
const observed = async (calls: number): Promise<readonly MinuteOfTraffic[]> => {
  const minutes: MinuteOfTraffic[] = [];
  do {
    await nextTurn();
    await service.traffic?.flush();
    for await (const stored of service.dependencies.events.readAll(null)) {
      if (stored.position <= read) continue;
      read = stored.position;
      if (stored.type === 'AgentTrafficObserved') minutes.push(...trafficLog.decode(stored).data.minutes);
    }
  } while (Object.values(endings(minutes)).reduce((sum, count) => sum + count, 0) < calls);
  return minutes;
};

/** Each way calls ended, as `family operation channel status error`, and how many did. */
const endings = (minutes: readonly MinuteOfTraffic[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { family, operation, outcomes } of minutes.flatMap(({ calls }) => calls)) {
    for (const { channel, status, error, count } of outcomes) {
      const key = [family, operation, channel, status, error ?? '-'].join(' ');
      counts[key] = (counts[key] ?? 0) + count;
    }
  }
  return counts;
};

const get = (path: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${service.origin}/api/v1${path}`, { headers });

describe('the capture of agent traffic', () => {
  it('counts a stream as answered, by when it began, once its reader leaves', async () => {
    const { access_token: token } = await tokensFor(service.origin);
    await observed(0);
    const reader = new AbortController();
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const asked = performance.now();
    const { status } = await fetch(`${service.origin}/api/v1/events`, { headers, signal: reader.signal });
    const began = performance.now() - asked;
    await new Promise((resolve) => setTimeout(resolve, 1.5 * began + 200));
    reader.abort();
    const minutes = await observed(1);
    expect([status, endings(minutes)]).toEqual([200, { 'alcada-pilot list_events rest 200 -': 1 }]);
    const [{ latencies: [bucket] } = { latencies: [] }] = minutes.flatMap(({ calls }) => calls);
    expect(bucket).toBeLessThanOrEqual(latencyBucket(began));
  });

  it('counts calls of UCP by both of its transports, and as refused what no mandate pays', async () => {
    const agent = new PlatformAgent(() => service.origin);
    const { id } = await agent.create(await agent.item());
    await agent.complete(id, { payment: { instruments: [] } });
    await agent.complete(id);
    await agent.call('get_checkout', { id });
    await agent.create('x:y');
    expect(endings(await observed(6))).toEqual({
      'node search_catalog ucp 200 -': 1,
      'node create_checkout ucp 201 -': 1,
      'node complete_checkout ucp 422 mandate_required': 1,
      'node complete_checkout ucp 200 -': 1,
      'node get_checkout ucp_mcp 200 -': 1,
      'node create_checkout ucp 422 invalid_flight': 1,
    });
  });

  it('counts calls of the API by what they ask and how they end, under the family that agents name', async () => {
    await get('/flights', { 'user-agent': 'curl/8.5.0' });
    await get('/flights', { 'user-agent': 'curl/8.5.0' });
    await get('/flights/AL0000', { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2)' });
    await get('/flights/AL1201/fares', { 'user-agent': 'curl/8', 'signature-agent': '"https://chatgpt.com"' });
    await get('/nothing', { 'user-agent': 'Agente da Maria' });
    await apiAt(service.origin).post('/orders', {});
    expect(endings(await observed(6))).toEqual({
      'curl search_flights rest 200 -': 2,
      'gptbot get_flight rest 404 flight_not_found': 1,
      'openai quote_fares rest 422 invalid_budget': 1,
      'other other rest 404 route_not_found': 1,
      'node place_order rest 401 token_missing': 1,
    });
  });

  it('counts tools by their names whatever the door, and their refusals as the API answers them', async () => {
    const { access_token: token } = await tokensFor(service.origin);
    await webmcp(service.origin, null, 'search_flights', { q: 'recife' });
    await webmcp(service.origin, token, 'create_booking', { flightNumber: 'AL0000' });
    await mcp(service.origin, null, 'get_flight', { flightNumber: 'AL1201' });
    await sendMessage(service.origin, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(endings(await observed(4))).toEqual({
      'node search_flights webmcp 200 -': 1,
      'alcada-pilot create_booking webmcp 422 invalid_flight': 1,
      'node get_flight mcp 200 -': 1,
      'node mcp_message mcp 200 -': 1,
    });
  });

  it('counts what no route takes, and messages that go wrong before a tool is reached', async () => {
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(service.origin + path, { ...init, headers: { 'user-agent': 'curl/8' } });
    await ask('/api/v1/flights/%zz'); // no path at all: the router itself refuses it
    await ask(`/api/v1/flights/${'A'.repeat(400)}`);
    await ask('/api/v1/healthy');
    await ask('/api/v1/flights', { method: 'DELETE' });
    await ask('/mcp?x=1');
    await sendMessage(service.origin, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nada' } });
    await sendMessage(service.origin, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 1 } });
    expect(endings(await observed(6))).toEqual({
      'curl other rest 404 route_not_found': 3,
      'curl other rest 405 method_not_allowed': 1,
      'curl other mcp 405 method_not_allowed': 1,
      'node mcp_message mcp 400 unknown_tool': 1,
      'node mcp_message mcp 400 invalid_arguments': 1,
    });
  });

  it('counts what is read again unchanged, and headers alone, as reads', async () => {
    const headers = { 'user-agent': 'curl/8' };
    const tag = (await get('/flights/AL1201', headers)).headers.get('etag') ?? '';
    await get('/flights/AL1201', { ...headers, 'if-none-match': tag });
    await fetch(`${service.origin}/api/v1/flights/AL1201`, { method: 'HEAD', headers });
    expect(endings(await observed(3))).toEqual({
      'curl get_flight rest 200 -': 2,
      'curl get_flight rest 304 -': 1,
    });
  });

  it('counts no success where the caller left before its answer', async () => {
    const { hostname, port, host } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/v1/bookings HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;
    socket.write(head, () => socket.destroy());
    expect(endings(await observed(1))).toEqual({ 'other create_booking rest 499 -': 1 });
  });

  it('counts a client under the name it is registered by, and as one agent for all of its travellers', async () => {
    for (const traveller of [{ email: 'ana@example.com' }, { email: 'bruno@example.com' }]) {
      const api = await agentAt(service.origin, { traveller: { ...traveller, password: 'alcada-demo' } });
      await api.get('/orders');
    }
    const minutes = await observed(2);
    expect(endings(minutes)).toEqual({ 'alcada-pilot list_orders rest 200 -': 2 });
    const hashes = new Set(minutes.flatMap(({ agents }) => agents.flatMap((one) => one.hashes)));
    expect(hashes.size).toBe(1);
  });

  it('counts clients that registered themselves by their address, under no name that they chose', async () => {
    for (const client_name of ['Claude', 'Claude II']) {
      const body = JSON.stringify({
        client_name,
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1:8765/callback'],
      });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${service.origin}/oauth/register`, { method: 'POST', headers, body });
      const { client_id: clientId } = (await answer.json()) as { client_id: string };
      const api = await agentAt(service.origin, { client: { clientId, secret: null } });
      await api.get('/orders');
    }
    const minutes = await observed(2);
    const hashes = minutes.flatMap(({ agents }) => agents.flatMap((one) => one.hashes));
    expect(Object.keys(endings(minutes))).toEqual([
      expect.stringMatching(/^(?!claude|anthropic)\S+ list_orders rest 200 -$/),
    ]);
    expect(hashes.filter((hash) => !hash.includes('.'))).toEqual([]);
  });

  it('counts a host whose agents sign as one agent for certain, under no name that they give', async () => {
    const { remoteDocuments, clock } = service.dependencies;
    const signer = newSigner();
    const fetchedAt = clock.now();
    const mediaType = 'application/http-message-signatures-directory+json';
    const document: RemoteDocument = { body: { keys: [signer.jwk] }, mediaType, fetchedAt, freshUntil: fetchedAt };
    Object.assign(remoteDocuments, { kept: () => document, get: () => Promise.resolve(document) });
    const created = Math.floor(Date.parse(clock.now()) / 1_000);
    const authority = new URL(service.origin).host;
    const signed = (method: string, path: string, lifetime = 60) =>
      fetch(`${service.origin}${path}`, {
        method,
        headers: {
          'user-agent': 'GPTBot/1.2',
          ...signedHeaders(signer, { method, path, authority, created, lifetime, agent: 'a1="https://agent.example"' }),
        },
      });
    expect((await signed('GET', '/api/v1/flights')).status).toBe(200);
    expect((await signed('POST', '/api/v1/bookings')).status).toBe(401);
    expect((await signed('GET', '/api/v1/flights', 0)).status).toBe(200);
    const refused = await signed('POST', '/api/v1/bookings', 0);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'invalid_signature', details: { reason: 'expired' } }),
    ]);
    const minutes = await observed(4);
    expect(endings(minutes)).toEqual({
      'other search_flights rest 200 -': 1,
      'other create_booking rest 401 token_missing': 1,
      'gptbot search_flights rest 200 -': 1,
      'gptbot create_booking rest 403 invalid_signature': 1,
    });
    const ofSigner = minutes.flatMap(({ agents }) => agents).filter(({ family }) => family === 'other');
    const certain = new Set(ofSigner.flatMap(({ hashes }) => hashes));
    expect([certain.size, [...certain].some((hash) => hash.includes('.'))]).toEqual([1, false]);
    const sum = (outcome: 'verified' | 'wrong') =>
      minutes.reduce((whole, { signatures }) => whole + (signatures?.[outcome] ?? 0), 0);
    expect([sum('verified'), sum('wrong')]).toEqual([2, 2]);
    expect(JSON.stringify(minutes)).not.toContain('agent.example');
  });

  it('does not count who watches: health, observability, pages and their files', async () => {
    for (const path of ['/api/v1/health', '/api/v1/health/ready', '/', '/assets/site.css', '/.well-known/webmcp.json'])
      await fetch(service.origin + path);
    await fetch(`${service.origin}/api/v1/flights`, { method: 'OPTIONS' });
    expect(await observed(0)).toEqual([]);
  });

  it('writes down nothing that a caller sent', async () => {
    const { access_token: token } = await tokensFor(service.origin);
    const secret = 'segredo-do-agente';
    await fetch(`${service.origin}/api/v1/flights/${secret}?q=${secret}`, { headers: { 'user-agent': secret } });
    await webmcp(service.origin, token, 'create_booking', { flightNumber: secret });
    await webmcp(service.origin, token, secret, {});
    await sendMessage(service.origin, { jsonrpc: '2.0', id: 1, method: secret, params: { name: secret } });
    const text = JSON.stringify(await observed(4));
    expect(text).not.toContain(secret);
    expect(text).not.toContain('alcada-pilot-');
    expect(text).not.toMatch(/127\.0\.0\.1|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});
