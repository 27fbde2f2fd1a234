import { tokensFor } from '../support/agent.js';
import { type Outcome, webmcp } from '../support/doors.js';
import { faultOf, type Schema } from '../support/json-schema.js';
import { brl, DECLINED_CARD, GOOD_CARD } from '../support/purchase.js';
import { SmallSetting } from '../support/setting.js';

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema & { readonly properties: Readonly<Record<string, Schema>> };
  readonly outputSchema: Schema;
}

const setting = new SmallSetting();
let tools: ReadonlyMap<string, Tool>;
let refusalSchema: Schema;
let token: string;
beforeAll(async () => {
  token = (await tokensFor(setting.origin)).access_token;
  const manifest = (await (await fetch(`${setting.origin}/.well-known/webmcp.json`)).json()) as {
    readonly tools: readonly Tool[];
    readonly refusalSchema: Schema;
  };
  tools = new Map(manifest.tools.map((tool) => [tool.name, tool]));
  ({ refusalSchema } = manifest);
});

const toolNamed = (name: string): Tool => {
  const tool = tools.get(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

/** Calls a tool with arguments of its form; what it answers must be of the form it tells. */
const call = async (name: string, args: object): Promise<Outcome['body']> => {
  const { inputSchema, outputSchema } = toolNamed(name);
  expect([name, faultOf(inputSchema, args)]).toEqual([name, null]);
  const { status, body } = await webmcp(setting.origin, token, name, args);
  expect([name, faultOf(status === 200 ? outputSchema : refusalSchema, body)]).toEqual([name, null]);
  return body;
};

describe('what a tool answers is of the form that the manifest tells', () => {
  it('through a whole purchase, with every tool', async () => {
    await call('search_flights', { q: 'recife', from: 'GRU', to: 'REC', limit: 3 });
    await call('get_flight', { flightNumber: 'AL1201' });
    await call('quote_fares', { flightNumber: 'AL1201', budget: 1, passengers: 9 });
    await call('create_booking', {});
    const { id: bookingId } = await call('create_booking', { flightNumber: 'AL1201', fareCode: 'LEVE' });
    await call('change_booking', { bookingId, passengers: 2 });
    await call('get_booking', { bookingId });
    const { id: mandateId } = await call('create_mandate', {
      limit: brl(100_000),
      scope: ['order:write', 'payment:execute'],
    });
    const order = { bookingId, mandateId, buyer: { name: 'Ana' }, expectedTotal: brl(559_80) };
    expect(await call('place_order', { ...order, payment: DECLINED_CARD })).toMatchObject({ status: 402 });
    const { id: orderId } = await call('place_order', { ...order, payment: GOOD_CARD });
    await call('get_receipt', { orderId });
    expect(await call('revoke_mandate', { mandateId })).toMatchObject({ status: 'revoked' });
  });
});

/** Values of every kind, for one field after another. */
const KINDS: readonly unknown[] = [null, true, 'texto', 7, 1.5, -1, [], {}, ['texto'], { amount: 1 }];

/** Whether a value is not of a field's form. Whose id a text is, is the handler's business. */
const isOfNoUse = (schema: Schema, value: unknown): boolean =>
  faultOf(schema, value) !== null && !(schema['type'] === 'string' && typeof value === 'string');

describe('arguments of another form than the manifest tells', () => {
  it('are refused in every field of every tool, with the field named', async () => {
    let tried = 0;
    for (const { name, inputSchema } of tools.values()) {
      for (const [field, schema] of Object.entries(inputSchema.properties)) {
        for (const value of KINDS.filter((one) => isOfNoUse(schema, one))) {
          const { status, body } = await webmcp(setting.origin, token, name, { ...required(name), [field]: value });
          const said = { tool: name, field, value, status, error: body['error'] };
          expect(said).toEqual({ tool: name, field, value, status: 400, error: 'invalid_arguments' });
          const fields = (body['details'] as readonly { readonly field: string }[]).map((detail) => detail.field);
          expect(fields.some((one) => one === field || one.startsWith(`${field}.`))).toBe(true);
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(150);
  });

  it('are refused where a required field is missing', async () => {
    for (const { name, inputSchema } of tools.values()) {
      for (const field of (inputSchema['required'] ?? []) as readonly string[]) {
        const { [field]: _, ...rest } = required(name);
        const { status, body } = await webmcp(setting.origin, token, name, rest);
        expect([name, field, status, body['error']]).toEqual([name, field, 400, 'invalid_arguments']);
      }
    }
  });
});

/** All that the tools require, of the right form; a tool ignores what it does not know. */
const ALL: Readonly<Record<string, unknown>> = {
  flightNumber: 'AL1201',
  budget: 1,
  bookingId: 'b',
  mandateId: 'm',
  orderId: 'o',
  limit: brl(1),
  payment: GOOD_CARD,
};
const required = (name: string): Readonly<Record<string, unknown>> => {
  const fields = (toolNamed(name).inputSchema['required'] ?? []) as readonly string[];
  return Object.fromEntries(fields.map((field) => [field, ALL[field]]));
};
