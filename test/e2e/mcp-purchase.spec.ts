import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { decodeJwt } from 'jose';
import { later } from '#catalog';
import { Browser, consent } from '#agent';
import { ANA, PILOT } from '../support/agent.js';
import { CHALLENGED_CARD, decide } from '../support/challenge.js';
import { mcpClientAt, modernClientAt, stranger } from '../support/mcp-client.js';
import { A_TICKET, AN_ID } from '../support/matchers.js';
import { brl, GOOD_CARD, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { SmallSetting } from '../support/setting.js';

let mcp: Awaited<ReturnType<typeof mcpClientAt>>;
afterAll(() => mcp.client.close());
const setting = new SmallSetting();
beforeAll(async () => {
  mcp = await mcpClientAt(setting.origin);
});

const names = async () => (await mcp.client.listTools()).tools.map(({ name }) => name);

/** Calls a tool that must succeed, or be refused. The client checks each structure by the tool's form. */
const call = async <Structure>(name: string, args: Record<string, unknown>, isError = false): Promise<Structure> => {
  const result = await mcp.client.callTool({ name, arguments: args });
  expect([name, result.isError, result.structuredContent]).toEqual([name, isError, expect.anything()]);
  return result.structuredContent as Structure;
};

/** A booking and a mandate for it, to be paid by a card whose holder is asked. */
const challenged = async () => {
  const { id: bookingId } = await call<{ id: string }>('create_booking', TRIP);
  const { id: mandateId } = await call<{ id: string }>('create_mandate', { limit: brl(TRIP_PRICE) });
  return { bookingId, mandateId, payment: CHALLENGED_CARD };
};

describe("the MCP SDK's own client, which knows one address", () => {
  it('is told what this is, and shops around without a token', async () => {
    expect(mcp.client.getServerVersion()).toMatchObject({ name: 'alcada', title: 'Alçada', version: '1.0.0' });
    expect(mcp.client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(mcp.client.getInstructions()).toContain('create_booking');
    expect(await names()).toHaveLength(12);
    expect(await call('search_flights', { q: 'noronha' })).toMatchObject({ count: 1 });
  });

  it('is refused a booking, and by that alone finds where its traveller can let it in', async () => {
    await expect(mcp.client.callTool({ name: 'create_booking', arguments: TRIP })).rejects.toThrow(UnauthorizedError);
    const { origin, pathname, searchParams } = mcp.provider.sentTo ?? new URL('about:blank');
    expect([origin, pathname]).toEqual([setting.origin, '/oauth/authorize']);
    expect(searchParams.get('resource')).toBe(`${setting.origin}/mcp`);
    // One consent for all that the tools need.
    expect(searchParams.get('scope')).toBe('booking:write order:write mandate:create payment:execute receipt:read');
    await mcp.authorize();
    expect(decodeJwt(mcp.provider.tokens()?.access_token ?? '').aud).toEqual([`${setting.origin}/mcp`]);
    expect(await names()).toHaveLength(12);
  });

  it('buys a flight, from booking to receipt', async () => {
    const metadata = { viagem: 'congresso' };
    const { id: bookingId } = await call<{ id: string }>('create_booking', { ...TRIP, metadata });
    const { id: mandateId } = await call<{ id: string }>('create_mandate', { limit: brl(TRIP_PRICE), metadata });
    const request = { bookingId, mandateId, payment: GOOD_CARD, metadata };
    const order = await call<{ id: string }>('place_order', request);
    expect(order).toMatchObject({ id: AN_ID, status: 'paid', ticketCode: A_TICKET, grandTotal: brl(TRIP_PRICE) });
    expect(await call('get_booking', { bookingId })).toMatchObject({ metadata });
    for (const uri of [`bookings/${bookingId}`, `mandates/${mandateId}`, `orders/${order.id}`]) {
      const [content] = (await mcp.client.readResource({ uri: `alcada://${uri}` })).contents;
      expect(JSON.parse(content && 'text' in content ? content.text : '')).toMatchObject({ metadata });
    }
    expect(await call('get_receipt', { orderId: order.id })).toMatchObject({
      ticketId: order.id,
      payment: { mandateId },
    });
    expect(await call('place_order', request, true)).toMatchObject({
      error: 'booking_already_ordered',
      status: 409,
      order: { id: order.id, status: 'paid' },
    });
  });

  it('is asked to take its traveller to a challenge by their address (-32042), and completes the order afterwards', async () => {
    const request = await challenged();
    const refused = await mcp.client
      .callTool({ name: 'place_order', arguments: request })
      .catch((error: unknown) => error);
    if (!(refused instanceof UrlElicitationRequiredError)) throw new Error(String(refused));
    const [asked, ...others] = refused.elicitations;
    const { url, elicitationId } = asked ?? { url: '', elicitationId: '' };
    expect([url, others]).toEqual([`${setting.origin}/desafios/${elicitationId}`, []]);
    // A client that cannot open it shows its model the message.
    expect(refused.message).toMatch(/Confirme R\$\s[\d.]+,\d\d: AL\d+, [^,]+ → [^,]+\. Depois a compra é concluída\./);
    expect(refused.message).toContain(url);
    await decide(url, ANA, 'approve');
    expect(await call('place_order', request)).toMatchObject({ id: elicitationId, status: 'paid' });
  });

  it('reads what its traveller has as resources, and starts with a prompt', async () => {
    const { resourceTemplates } = await mcp.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'alcada://bookings/{id}',
      'alcada://mandates/{id}',
      'alcada://orders/{id}',
      'alcada://receipts/{id}',
      'alcada://tickets/{id}',
      'alcada://calendars/{id}',
    ]);
    const uris: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await mcp.client.listResources({ cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    }
    expect(new Set(uris.map((uri) => uri.split('/')[2]))).toEqual(
      new Set(['bookings', 'mandates', 'orders', 'receipts', 'tickets', 'calendars']),
    );
    for (const uri of uris) {
      const [content] = (await mcp.client.readResource({ uri })).contents;
      if (/tickets|calendars/.test(uri)) {
        expect(content?.mimeType).toMatch(/^(?:application\/pdf|text\/calendar)/);
        continue;
      }
      expect([uri, content?.mimeType]).toEqual([uri, 'application/json']);
      expect(JSON.parse(content && 'text' in content ? content.text : '')).toEqual(expect.any(Object));
    }
    const { messages } = await mcp.client.getPrompt({
      name: 'buy_under_budget',
      arguments: { to: 'Recife', budget: '1.500,00', passengers: '2' },
    });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(/para Recife, para 2 .*budget 150000/s) } },
    ]);
  });

  it('asked for more than its traveller granted, asks again for that and what it had', async () => {
    const narrow = await mcpClientAt(setting.origin);
    await expect(narrow.client.callTool({ name: 'get_receipt', arguments: {} })).rejects.toThrow(UnauthorizedError);
    narrow.provider.sentTo?.searchParams.set('scope', 'receipt:read');
    await narrow.authorize();
    // With a refresh token the SDK's client would renew what it has, in vain; without one it asks its traveller.
    const { access_token = '', token_type = '' } = narrow.provider.tokens() ?? {};
    narrow.provider.saveTokens({ access_token, token_type });
    await expect(narrow.client.callTool({ name: 'create_booking', arguments: TRIP })).rejects.toThrow(
      UnauthorizedError,
    );
    expect(narrow.provider.sentTo?.searchParams.get('scope')).toBe('booking:write receipt:read');
    await narrow.authorize();
    const booked = await narrow.client.callTool({ name: 'create_booking', arguments: TRIP });
    expect(booked).toMatchObject({ isError: false });
    await narrow.client.close();
  });
});

describe('the client of the revision 2026-07-28', () => {
  it('negotiates it, opens the address of a challenge when asked to, and its retry completes the order', async () => {
    const request = await challenged();
    const opened: string[] = [];
    const { access_token = '' } = mcp.provider.tokens() ?? {};
    const modern = await modernClientAt(setting.origin, access_token, async (url) => {
      opened.push(url);
      await decide(url, ANA, 'approve');
    });
    expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await modern.listTools()).tools).toHaveLength(12);
    const placed = await modern.callTool({ name: 'place_order', arguments: request });
    expect(placed.structuredContent).toMatchObject({ status: 'paid' });
    expect(opened).toEqual([expect.stringContaining('/desafios/')]);
    await modern.close();
  });
});

describe('a client that nobody registered, and that knows one address', () => {
  it('registers itself, asks its traveller, who approves with a cap, and buys', async () => {
    const unknown = await mcpClientAt(setting.origin, stranger());
    const calling = async (name: string, args: Record<string, unknown>): Promise<{ readonly id: string }> => {
      const { structuredContent, isError } = await unknown.client.callTool({ name, arguments: args });
      expect([name, isError, structuredContent]).toEqual([name, false, expect.anything()]);
      return structuredContent as { readonly id: string };
    };
    await expect(calling('create_booking', TRIP)).rejects.toThrow(UnauthorizedError);
    expect(unknown.provider.clientInformation()?.client_id).not.toBe(PILOT.clientId);
    await unknown.authorize({ cap: '5.000,00', mode: 'agent' });
    const { id: bookingId } = await calling('create_booking', TRIP);
    const { id: mandateId } = await calling('create_mandate', { limit: brl(TRIP_PRICE) });
    const { id: orderId } = await calling('place_order', { bookingId, mandateId, payment: GOOD_CARD });
    expect(await calling('get_receipt', { orderId })).toMatchObject({ ticketId: orderId, payment: { mandateId } });
    await unknown.client.close();
  });
});

describe('the example of an agent (examples/buy-a-flight.js)', () => {
  /** Runs it; whoever it asks to open an address does, and allows what it asks for. Answers what it said. */
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, ['examples/buy-a-flight.js', ...args, setting.origin], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    const ended = once(child, 'close') as Promise<[code: number]>;
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      const text = String(chunk);
      said += text;
      const [address] = /http\S+\/oauth\/authorize\S+(?=\n)/.exec(text) ?? [];
      if (address === undefined) continue;
      const back = await consent(new Browser(setting.origin), new URL(address), ANA);
      expect((await fetch(new URL('/', back))).status).toBe(404);
      expect(await (await fetch(back)).text()).toContain('Pode fechar');
    }
    const [code] = await ended;
    return { said, code };
  };

  it('buys the cheapest flight to a city, in the mandate that its traveller granted with its budget', async () => {
    const date = later(new Date().toISOString().slice(0, 10), 20);
    const { said, code } = await run('Recife', '600', date);
    expect(said).toMatch(new RegExp(`to REC, ${date}, .*\nIf it is cancelled: .`));
    expect([said, code]).toEqual([
      expect.stringMatching(/\nBought: locator [2-9A-Z]{6}, ticket \d{13}, receipt R-\d{13}, paid/),
      0,
    ]);
    const [, mandateId = ''] = /under the mandate (\S+)\n/.exec(said) ?? [];
    const { body } = await setting.ana.get(`/mandates/${mandateId}`);
    expect(body).toMatchObject({ limit: brl(600_00), grantedBy: 'traveller', constraints: { maxOrders: 1 } });
  });

  it('asks nobody where nothing is within the budget', async () => {
    expect(await run('Recife', '1')).toEqual({
      said: expect.stringMatching(/^nothing to Recife within R\$ 1, of \d+ fares\n$/),
      code: 1,
    });
  });
});
