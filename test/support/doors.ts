import { apiAt } from './agent.js';

/** A call's outcome in the terms that all doors share: what was asked for, or the refusal with its status. */
export interface Outcome {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One way to the tools. `token` null: none is sent. */
export type Door = (origin: string, token: string | null, tool: string, args: object) => Promise<Outcome>;

type Args = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

/** What REST calls the same thing: method, path and body. */
const REST: Readonly<Record<string, (args: Args) => readonly [method: string, path: string, body?: unknown]>> = {
  // A tool answers fewer where nobody says how many.
  search_flights: (query) => ['GET', `/flights?${queryOf({ limit: 10, ...query })}`],
  get_flight: ({ flightNumber }) => ['GET', `/flights/${String(flightNumber)}`],
  quote_fares: ({ flightNumber, ...query }) => ['GET', `/flights/${String(flightNumber)}/fares?${queryOf(query)}`],
  create_booking: (body) => ['POST', '/bookings', body],
  get_booking: ({ bookingId }) => ['GET', `/bookings/${String(bookingId)}`],
  change_booking: ({ bookingId, ...body }) => ['PATCH', `/bookings/${String(bookingId)}`, body],
  create_mandate: (body) => ['POST', '/mandates', body],
  revoke_mandate: ({ mandateId }) => ['DELETE', `/mandates/${String(mandateId)}`],
  place_order: (body) => ['POST', '/orders', body],
  get_receipt: ({ orderId }) => ['GET', `/orders/${String(orderId)}/receipt`],
  quote_cancellation: ({ orderId }) => ['POST', `/orders/${String(orderId)}/cancellations`],
  cancel_order: ({ orderId, cancellationId }) => [
    'POST',
    `/orders/${String(orderId)}/cancellations/${String(cancellationId)}/confirm`,
  ],
};

const queryOf = (query: Args): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();

const withoutId = ({ requestId: _, ...body }: Members): Members => body;
const refusal = (status: number, body: Members): Outcome => ({ status, body: { ...withoutId(body), status } });

export const rest: Door = async (origin, token, tool, args) => {
  const [method, path, sent] = REST[tool]?.(args as Args) ?? ['GET', '/no-such-tool'];
  const { status, body } = await apiAt(origin, token).call<Members>(method, path, sent);
  return status >= 400 ? refusal(status, body) : { status: 200, body };
};

/** A CallToolResult as it came: its text must repeat its structure. */
const told = (result: Members): Outcome => {
  const { content, structuredContent, isError } = result as {
    readonly content: readonly [{ readonly type: string; readonly text: string }];
    readonly structuredContent: Members;
    readonly isError: boolean;
  };
  const [{ type, text }] = content;
  if (type !== 'text' || text !== JSON.stringify(structuredContent)) throw new Error(`the text is another: ${text}`);
  return { status: isError ? Number(structuredContent['status']) : 200, body: structuredContent };
};

export const webmcp: Door = async (origin, token, tool, args) => {
  const { status, body } = await apiAt(origin, token).post<Members>('/webmcp/call', { tool, arguments: args });
  return status === 200 ? told(body) : refusal(status, body);
};

/** Sends one message to `/mcp`; `headers` beside what every client sends. */
export const sendMessage = (origin: string, message: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

export const bearer = (token: string | null): Readonly<Record<string, string>> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

export const mcp: Door = async (origin, token, name, args) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await sendMessage(origin, message, bearer(token));
  const body = (await response.json()) as Members;
  return response.status === 200 ? told(body['result'] as Members) : refusal(response.status, body);
};
