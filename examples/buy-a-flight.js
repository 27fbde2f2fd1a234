/**
 * An agent that buys the cheapest flight to a city under a budget, over MCP, with the money of a traveller who allows it in
 * their browser. Start the service (`npm start`), and then:
 *
 *   node examples/buy-a-flight.js Recife 700 2026-12-20
 *
 * City, budget in reais, and perhaps a day and the service's address. Elsewhere it needs nothing but
 * `@modelcontextprotocol/client`.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { URL } from 'node:url';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const [city = 'Recife', reais = '700', ...more] = process.argv.slice(2);
const date = more.find((word) => /^\d{4}-/.test(word));
const site = more.find((word) => word.startsWith('http')) ?? 'http://127.0.0.1:3000';
const budget = { amount: Math.round(Number(reais) * 100), currency: 'BRL' };
const card = { cardNumber: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' }; // of the test processor

const say = (text) => process.stdout.write(`${text}\n`);
// The traveller's browser comes back to this program with a code (RFC 8252 §7.3).
const loopback = createServer().listen(0, '127.0.0.1');
await once(loopback, 'listening');
const redirectUrl = `http://127.0.0.1:${loopback.address().port}/callback`;
const state = randomBytes(16).toString('base64url');
const callback = new Promise((resolve) => {
  loopback.on('request', ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, redirectUrl);
    const isOurs = pathname === '/callback' && searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isOurs ? 'Pronto. Pode fechar esta página.' : 'Não há nada aqui.');
    if (isOurs) resolve(searchParams);
  });
});

// The SDK does OAuth: it finds the authorization server, registers this program, makes PKCE and exchanges the code. A
// program that runs more than once keeps all of this, readable by its user alone.
const kept = {};
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: 'Exemplo', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
  state: () => state,
  clientInformation: () => kept.client,
  saveClientInformation: (client) => (kept.client = client),
  discoveryState: () => kept.server,
  saveDiscoveryState: (server) => (kept.server = server),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => (kept.verifier = verifier),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => (kept.tokens = tokens),
  redirectToAuthorization: (url) => {
    // The traveller decides at once who may buy and for how much: a mandate for one order, up to the budget (RFC 9396).
    const mandate = { type: 'payment_mandate', limit: budget, durationMinutes: 30, constraints: { maxOrders: 1 } };
    url.searchParams.set('authorization_details', JSON.stringify([{ ...mandate, purpose: `Voo para ${city}` }]));
    say(`Open this address in a browser, and allow the purchase:\n  ${url.href}`);
  },
};

const transport = new StreamableHTTPClientTransport(new URL('/mcp', site), { authProvider });
const client = new Client({ name: 'buy-a-flight', version: '1.0.0' });

/** Calls a tool. The first one that needs a token waits for the traveller. */
const call = async (name, args) => {
  const ask = () => client.callTool({ name, arguments: args });
  const { structuredContent: answer, isError } = await ask().catch(async (error) => {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await callback);
    return ask();
  });
  if (isError) throw new Error(`${name} was refused with ${answer.error}: ${answer.message}`);
  return answer;
};

try {
  await client.connect(transport);
  const { items } = await call('search_flights', { to: city, date, sort: 'price' });
  const offers = items
    .filter(({ seats, currency }) => seats > 0 && currency === budget.currency)
    .flatMap(({ prices, ...flight }) => prices.map((fare) => ({ ...flight, fare })))
    .sort((one, other) => one.fare.price - other.fare.price);
  const [best] = offers.filter(({ fare }) => fare.price <= budget.amount);
  if (!best) throw new Error(`nothing to ${city} within R$ ${reais}, of ${offers.length} fares`);

  const { flightNumber, departureDate, fare } = best;
  say(
    `${flightNumber}, ${best.from} to ${best.to}, ${departureDate}, ${fare.name}: R$ ${(fare.price / 100).toFixed(2)}`,
  );
  say(`If it is cancelled: ${fare.conditions.description}`);
  const travellers = [{ givenName: 'Ana', familyName: 'Souza' }];
  const trip = { flightNumber, date: departureDate, fareCode: fare.code, travellers };
  const booking = await call('create_booking', trip);
  // No mandate is named: the one that was granted is the only one there is. A price that has risen is refused.
  const order = await call('place_order', { bookingId: booking.id, payment: card, expectedTotal: booking.total });
  const { receiptId, payment } = await call('get_receipt', { orderId: order.id });
  say(
    `Bought: locator ${order.locator}, ticket ${order.ticketCode}, receipt ${receiptId}, paid under the mandate ${payment.mandateId}`,
  );
} catch (error) {
  say(error.message);
  process.exitCode = 1;
} finally {
  await client.close();
  loopback.close();
}
