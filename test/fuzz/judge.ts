import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES } from '#kernel';
import { faultInOpenApi, type Schema } from '../support/json-schema.js';
import { canaryOf, confidedTo } from './members.js';
import { type Composed, JSON_TYPE } from './requests.js';
import { closed, type Foreseen } from './surface.js';
import type { Written } from './target.js';
import { isObject, parsed } from './values.js';
import { bytesOf, isLast, isTooLong, type Received } from './wire.js';
import { idsIn, type World } from './world.js';

/** What the router, the parsers and Node refuse where a request is no longer the one that was meant. */
const EDGE_CODES: ReadonlySet<string> = new Set([
  ...['malformed_json', 'route_not_found', 'method_not_allowed', 'payload_too_large', 'unsupported_media_type'],
  ...['request_timeout', 'origin_forbidden', 'unknown_member', 'rate_limited', 'invalid_signature'],
]);

/** Reads that may ask for another try: the figures of traffic under load, and what proves something until it is sealed. */
const WAITS = /agent-traffic|\/receipt\/proof|\/historico\.jsonl/;

/** Words that only our own inside says. */
const INSIDE =
  /node_modules|\bat [\w.]+ \(|file:\/\/|\/(?:builds|dist)\/|SQLITE|SqliteError|\b(Type|Range)Error|ENOENT/;

/** What an answer said: its status, and the code of its refusal, be it told by a tool's result. */
export interface Verdict {
  readonly outcome: string;
  readonly isRefused: boolean;
  readonly findings: readonly string[];
}

/** Judges an answer by its description. `mayBeDown`: the stores refuse writes just now, so that 503 is right. */
export const judged = (composed: Composed, received: Received | null, world: World, mayBeDown: boolean): Verdict => {
  const { sent, isMangled } = composed;
  if (received === null)
    return {
      outcome: 'none',
      isRefused: true,
      findings: isLast(sent) ? [] : ['the connection ended without an answer'],
    };
  const { status, headers, text } = received;
  const type = headers.get('content-type')?.split(';', 1)[0] ?? null;
  const body = type === JSON_TYPE ? parsed(text) : undefined;
  const code = isObject(body) && typeof body['error'] === 'string' ? body['error'] : null;
  const told = toolCodeIn(body);
  const findings: string[] = [];
  const find = (fault: string | null | false): void => {
    if (fault) findings.push(fault);
  };
  find(status >= 500 && !(status === 503 && (mayBeDown || WAITS.test(sent.target))) && `${status} ${code ?? ''}`);
  find(
    INSIDE.test(text) && type !== 'text/javascript' && `the answer shows our inside: ${INSIDE.exec(text)?.[0] ?? ''}`,
  );
  find(!headers.has('x-request-id') && 'no X-Request-Id');
  find(type === JSON_TYPE && body === undefined && text !== '' && 'no JSON');
  if (status >= 400 && sent.method !== 'HEAD') find(faultOfError(composed, status, body, type));
  if (!isMangled && status < 500) find(undocumented(composed, received, code, type, body));
  if (composed.tool && status === 200 && !isMangled) find(faultOfResult(composed, body));
  for (const fault of leaks(composed, text, world)) find(fault);
  return {
    outcome: [status, code ?? told ?? ''].join(' ').trim(),
    isRefused: status >= 400 || told !== null,
    findings,
  };
};

/** An error is in the form of the interface, with the status and text of its code; OAuth's in OAuth's, and a page is a page. */
const faultOfError = (
  { operation: { path }, sent: { target } }: Composed,
  status: number,
  body: unknown,
  type: string | null,
): string | null => {
  if (type === 'text/html' && !/^\/api\/v1(?:[/?]|$)/.test(target)) return null;
  if (!isObject(body)) return `an error without its form: ${type ?? 'nothing'}`;
  const { error, message, requestId, jsonrpc } = body;
  if (path === '/mcp' && jsonrpc === '2.0') return null;
  if (typeof error !== 'string' || typeof message !== 'string' || message === '')
    return 'an error without code or text';
  if (typeof requestId !== 'string') return 'an error without its request';
  const known = ERROR_CODES.find((one) => one === error);
  if (known) return ERROR_CATALOGUE[known].status === status ? null : `${error} with the status ${status}`;
  return typeof body['error_description'] === 'string' ? null : `${error} is no code of the catalogue`;
};

const undocumented = (
  { operation, sent }: Composed,
  { status, headers, text }: Received,
  code: string | null,
  type: string | null,
  body: unknown,
): string | null => {
  const known: Foreseen | undefined = operation.answers.get(status);
  // An odd value of a parameter may lead the path to nowhere; it is the router who says so.
  const isRouter = code === 'route_not_found' || code === 'method_not_allowed' || code === 'origin_forbidden';
  if (isRouter) return null;
  // What has no room in a head is no request of any operation.
  if (isTooLong(sent) && (code === 'malformed_json' || (status === 400 && sent.method === 'HEAD'))) return null;
  if (!known) return `the status ${status} (${code ?? ''}) is not described`;
  if (known.codes && sent.method !== 'HEAD' && (code === null || !known.codes.has(code)) && type === JSON_TYPE)
    return operation.path === '/mcp' && EDGE_CODES.has(code ?? '')
      ? null
      : `the code ${code ?? 'none'} is not described under ${status}`;
  const lacking = known.headers.filter((name) => !headers.has(name.toLowerCase()));
  if (lacking.length > 0) return `${status} without ${lacking.join(', ')}`;
  if (sent.method === 'HEAD' || known.forms.size === 0) return null;
  const schema = known.forms.get(type ?? '');
  if (schema === undefined) return `the media type ${type ?? 'none'} is not described under ${status}`;
  if (type === 'text/event-stream') return null;
  if (schema === null || type !== JSON_TYPE) return text === '' ? 'nothing where something is described' : null;
  const fault = faultInOpenApi(schema, body);
  return fault === null ? null : `${status}: ${fault}`;
};

/** The result of a tool's call in an answer, through either door. */
const resultIn = (body: unknown): Readonly<Record<string, unknown>> | null => {
  const result = isObject(body) && isObject(body['result']) ? body['result'] : body;
  return isObject(result) && isObject(result['structuredContent']) ? result : null;
};

const toolCodeIn = (body: unknown): string | null => {
  const result = resultIn(body);
  const structure = result?.['isError'] === true ? result['structuredContent'] : null;
  return isObject(structure) ? String(structure['error']) : null;
};

const outputs = new WeakMap<Schema, Schema>();

/** A tool's success has the form that it lists; its refusal names a code of the catalogue with its status. */
const faultOfResult = ({ tool }: Composed, body: unknown): string | null => {
  const result = resultIn(body);
  if (!tool || !result) return isObject(body) && 'jsonrpc' in body ? null : 'no result of a tool';
  const { structuredContent, content, isError } = result;
  const [first] = content as readonly { readonly text: string }[];
  if (first?.text !== JSON.stringify(structuredContent)) return 'the text is not its structure';
  if (isError === true) {
    const { error, status } = structuredContent as { readonly error: string; readonly status: number };
    const known = ERROR_CODES.find((one) => one === error);
    return known && ERROR_CATALOGUE[known].status === status ? null : `a result refuses with ${error} and ${status}`;
  }
  const schema = outputs.get(tool.outputSchema) ?? closed(tool.outputSchema);
  outputs.set(tool.outputSchema, schema);
  const { warnings: _, ...shown } = structuredContent as Readonly<Record<string, unknown>>;
  return faultInOpenApi(schema, shown);
};

/** Whatever of an answer is another traveller's, and was not said by the request itself. */
const leaks = ({ actor, sent, operation }: Composed, text: string, { owners, actors }: World): readonly string[] => {
  // Whoever shows a token is told whose it is; the examples of a description look like ids.
  if (/^\/(oauth\/(token|introspect)$|docs|api\/v1\/openapi)/.test(operation.path)) return [];
  const seen = idsIn(text).filter((id) => {
    const owner = owners.get(id);
    return owner !== undefined && owner !== actor?.holder;
  });
  const others = actors.filter(({ holder }) => holder !== actor?.holder);
  const isForAgents = /^\/(api\/v1|mcp)/.test(operation.path);
  const agents = actors.filter(({ client }) => isForAgents && client.clientId !== actor?.client.clientId);
  const names = [...others.flatMap((other) => [canaryOf(other), other.traveller.email])]
    .concat([...others, ...agents].map(confidedTo))
    .filter((name) => text.includes(name));
  if (seen.length + names.length === 0) return [];
  const said = decoded(bytesOf(sent).toString());
  return [...new Set([...seen, ...names])]
    .filter((what) => !said.includes(what))
    .map((what) => `${what} is shown to ${actor?.name ?? 'anybody'}`);
};

const decoded = (text: string): string => {
  try {
    return `${text} ${decodeURIComponent(text.replaceAll('+', ' '))}`;
  } catch {
    return text;
  }
};

/** What a request that was refused may leave in the log all the same, by its code (docs/decisions.md, Order; ARCHITECTURE.md). */
const TRACES: readonly (readonly [outcome: RegExp, events: RegExp])[] = [
  [/^402/, /^(Booking|Order|Payment|Mandate|Seats|Ticket)/],
  [/mandate_|currency_mismatch/, /^(MandateChargeRefused|MandateExpired|MandateClosed|CapRefused)$/],
  [/^200 payment_/, /^(Booking|Order|Payment|Mandate|Seats|Ticket)/],
  [/invalid_grant|invalid_token/, /^(CodeReplayed|RefreshReused|TokenRevoked)$/],
  [/^(429|401|403)/, /^LoginThrottled$/],
  [/^(503|none)/, /./],
];

/** The faults of what was written: events that a refused request, or one that only reads, has left. */
export const wronglyWritten = (
  events: readonly Written[],
  answered: ReadonlyMap<string, { readonly outcome: string; readonly isRefused: boolean; readonly isRead: boolean }>,
): readonly { readonly cause: string; readonly fault: string }[] =>
  events.flatMap(({ type, cause, stream }) => {
    const answer = answered.get(cause);
    if (!answer || (!answer.isRefused && !answer.isRead)) return [];
    const isTrace = TRACES.some(([outcome, traces]) => outcome.test(answer.outcome) && traces.test(type));
    const isLook = answer.isRead && type === 'AuditPageViewed';
    return isTrace || isLook
      ? []
      : [{ cause, fault: `${type} in ${stream.split('-', 1)[0] ?? ''} for ${answer.outcome}` }];
  });

/** Documents that a refused request may leave or change: what counts failures, begins a login, or is revoked by a replay. */
const KEPT = /^(login-failures|refused-cards|leases|sessions|authorization-requests)/;

/** What documents a refused request left or changed, by what there was before and after; null: none. */
export const wronglyKept = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): string | null => {
  const changed = Object.keys(after).filter((name) => after[name] !== (before[name] ?? 0) && !KEPT.test(name));
  return changed.length > 0 ? `refused, and yet written: ${changed.join('; ')}` : null;
};
