import { Agent, request } from 'node:http';

/*
 * Somebody at an address of this machine who sends one request over and over on eight connections, whatever is answered:
 * `hammer.main.js <origin> <address> <path> <body>`. An empty body: GET. Ends with its parent.
 */
const [origin = '', localAddress = '', path = '', body = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 8, localAddress });
const headers = {
  accept: 'application/json, text/event-stream, text/html',
  'content-type': 'application/json',
  ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
};

const hammer = (): void => {
  const sent = request(`${origin}${path}`, { method: body === '' ? 'GET' : 'POST', agent, headers }, (answer) =>
    answer.resume().once('end', () => setImmediate(hammer)),
  );
  sent.once('error', () => setImmediate(hammer)).end(body);
};
for (let connection = 0; connection < 8; connection += 1) hammer();
process.once('disconnect', () => process.exit());
process.send?.('begun');
