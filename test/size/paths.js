import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL, URL } from 'node:url';

const SCOPES = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];
const TRAVELLER = { email: 'ana@example.com', password: 'alcada-demo' };
const PILOT = {
  clientId: 'alcada-pilot',
  secret: 'alcada-pilot-secret',
  redirectUri: 'http://127.0.0.1:8765/callback',
};
/** Of so many requests the cheapest counts: no background work fell into it. The first ones warm up. */
const ROUNDS = 6;

const agentAt = async (origin) => {
  const agent = await import(pathToFileURL(join(process.cwd(), 'dist/libs/agent/src/index.js')).href);
  const server = await agent.discover(origin);
  const { verifier, challenge } = agent.pkce();
  const state = randomBytes(8).toString('base64url');
  const address = agent.authorizationUrl(server, PILOT, { scopes: SCOPES, state, challenge });
  const callback = await agent.consent(new agent.Browser(origin), address, TRAVELLER);
  const { access_token: token } = await agent.exchange(server, PILOT, callback, { state, verifier });
  return new agent.Api(`${origin}/api/v1`, token);
};

const startService = async (folder) => {
  const preload = new URL('./counted.js', import.meta.url).href;
  const env = { PORT: '0', DATA_DIR: folder, PASSWORD_COST: '10', LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--import', preload, 'dist/apps/api/src/main.js'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    const [, origin] = /Listens on\s+(\S+)/.exec(said) ?? [];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error(`the service did not start:\n${said}`);
};

/** Files and calls on the main thread that one POST /bookings and one POST /orders cross, in a service that is warm. */
export const measurePaths = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alcada-size-'));
  const { child, origin } = await startService(folder);
  const counted = async () => {
    child.send('take');
    const [count] = await once(child, 'message');
    return count;
  };
  try {
    const api = await agentAt(origin);
    const measured = { 'POST /bookings': [], 'POST /orders': [] };
    const post = async (path, body) => {
      await pause(300); // what the request before set off is done
      await counted();
      const { status, body: made } = await api.call('POST', path, body);
      const count = await counted();
      if (status !== 201) throw new Error(`POST ${path} answered ${status}`);
      measured[`POST ${path}`]?.push(count);
      return made;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const booking = await post('/bookings', { flightNumber: 'AL4011', fareCode: 'LEVE', passengers: 1 });
      const limit = { amount: 10_000_00, currency: 'BRL' };
      const mandate = await post('/mandates', { limit, durationMinutes: 30 });
      const payment = { cardNumber: '4242424242424242', expiry: '12/39', cvc: '123' };
      await post('/orders', { bookingId: booking.id, mandateId: mandate.id, payment });
    }
    return Object.entries(measured).map(([request, counts]) => ({
      request,
      files: Math.min(...counts.slice(1).map(({ files }) => files)),
      calls: Math.min(...counts.slice(1).map(({ calls }) => calls)),
    }));
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
};
