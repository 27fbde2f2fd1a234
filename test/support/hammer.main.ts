import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Sends one request over and over: `hammer.main.js <origin> <address> <path> <body>`; reports a refusal. */
const [origin = '', localAddress = '', path = '', body = ''] = process.argv.slice(2);
const CONNECTIONS = 8;
/** How long (ms) a connection that was refused waits. */
const PATIENCE = 100;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, localAddress });
const headers = {
  accept: 'application/json, text/event-stream, text/html',
  'content-type': 'application/json',
  ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
};

const answered = (): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method: body === '' ? 'GET' : 'POST', agent, headers }, (answer) =>
      answer.resume().once('end', () => resolve(answer.statusCode)),
    );
    sent.once('error', reject).end(body);
  });

const hammer = async (): Promise<never> => {
  for (;;) {
    const status = await answered().catch(() => 429);
    if (status !== 429) continue;
    process.send?.('refused');
    await pause(PATIENCE);
  }
};
process.once('disconnect', () => process.exit());
for (let connection = 0; connection < CONNECTIONS; connection += 1) void hammer();
