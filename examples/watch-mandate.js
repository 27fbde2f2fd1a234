/**
 * An agent that is told what becomes of a mandate and its orders, over MCP Events: it subscribes at an address of its own, checks
 * who sends each message, and says what happened. It needs a token with `mandate:create`, `receipt:read` and `webhook:manage`
 * (docs/first-purchase.md shows how to get one), and nothing but `standardwebhooks`:
 *
 *   TOKEN=… node examples/watch-mandate.js <mandateId> http://127.0.0.1:3000
 */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { Webhook } from 'standardwebhooks';

const [mandateId, site = 'http://127.0.0.1:3000'] = process.argv.slice(2);
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const say = (text) => process.stdout.write(`${text}\n`);

const seen = new Set();
const receiver = createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray()).toString();
    const told = new Webhook(secret).verify(body, request.headers); // throws where somebody else sent it
    if (told.type === 'verification') response.setHeader('content-type', 'application/json');
    response.end(told.type === 'verification' ? JSON.stringify({ challenge: told.challenge }) : '');
    if (!told.eventId || seen.has(told.eventId)) return; // a message may come twice
    seen.add(told.eventId);
    say(`${told.timestamp} ${told.name} ${told.data.id ?? told.data.orderId} ${told.data.status}`);
  } catch {
    response.writeHead(401).end();
  }
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const delivery = { mode: 'webhook', url: `http://127.0.0.1:${receiver.address().port}/`, secret };

const ask = async (method, params) => {
  const headers = { authorization: `Bearer ${process.env.TOKEN}`, 'content-type': 'application/json' };
  headers.accept = 'application/json, text/event-stream';
  const sent = { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) };
  const { result, error, ...refusal } = await (await globalThis.fetch(`${site}/mcp`, sent)).json();
  if (!result) throw new Error(`${method} was refused: ${error?.message ?? refusal.message}`);
  return result;
};

const { events } = await ask('events/list', {});
const names = events.map(({ name }) => name).filter((name) => /^(mandate|order|challenge)\./.test(name));
const subscription = (name) => ({ name, arguments: { mandateId }, delivery });
/** Subscribes; and again before that ends, from where it was. */
const subscribe = async (name, cursor = null) => {
  const granted = await ask('events/subscribe', { ...subscription(name), cursor });
  const left = Date.parse(granted.refreshBefore) - Date.now();
  setTimeout(subscribe, left * 0.9, name, granted.cursor).unref();
};
for (const name of names) await subscribe(name);
say(`Watching ${mandateId}, ${names.length} kinds of events. Ctrl+C ends it.`);
await once(process, 'SIGINT');
for (const name of names) await ask('events/unsubscribe', subscription(name));
receiver.close();
