/** The name of everything that has none of its own: an unknown operation, an unknown agent. */
export const OTHER = 'other';

/** The steps from a search to a receipt, in their order. */
export const FUNNEL = ['search', 'quote', 'booking', 'mandate', 'order', 'receipt'] as const;
export type FunnelStep = (typeof FUNNEL)[number];

/** How calls come: `ucp` and `ucp_mcp` by the two transports of UCP. */
export const CHANNELS = ['rest', 'webmcp', 'mcp', 'ucp', 'ucp_mcp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What the signatures of calls come to (docs/adr/0111-agents-sign-their-requests.md). */
export type SignatureOutcome = 'verified' | 'unverified' | 'wrong';

/** Operations by route; a route that is also a tool has its name. Health and traffic itself do not count. */
const ROUTES: Readonly<Record<string, string>> = {
  'GET /flights': 'search_flights',
  'GET /flights/:flightNumber': 'get_flight',
  'GET /flights/:flightNumber/fares': 'quote_fares',
  'POST /bookings': 'create_booking',
  'GET /bookings': 'list_bookings',
  'GET /bookings/:id': 'get_booking',
  'PATCH /bookings/:id': 'change_booking',
  'POST /mandates': 'create_mandate',
  'GET /mandates': 'list_mandates',
  'GET /mandates/:id': 'get_mandate',
  'GET /mandates/:id/events': 'list_mandate_events',
  'DELETE /mandates/:id': 'revoke_mandate',
  'POST /orders': 'place_order',
  'GET /orders': 'list_orders',
  'GET /orders/:id': 'get_order',
  'GET /orders/:id/receipt': 'get_receipt',
  'GET /orders/:id/receipt/proof': 'get_receipt_proof',
  'GET /orders/:id/credit-note': 'get_credit_note',
  'GET /orders/:id/ticket.pdf': 'get_ticket',
  'GET /orders/:id/ticket.ics': 'get_ticket',
  'POST /orders/:id/cancellations': 'quote_cancellation',
  'POST /orders/:id/cancellations/:cancellationId/confirm': 'cancel_order',
  'GET /events': 'list_events',
  'POST /webhooks': 'manage_webhooks',
  'GET /webhooks': 'manage_webhooks',
  'GET /webhooks/:id': 'manage_webhooks',
  'PATCH /webhooks/:id': 'manage_webhooks',
  'DELETE /webhooks/:id': 'manage_webhooks',
  'POST /webhooks/:id/rotate-secret': 'manage_webhooks',
  'POST /webhooks/:id/test': 'manage_webhooks',
  'GET /webhooks/:id/deliveries': 'manage_webhooks',
  'POST /webhooks/:id/deliveries/:eventId/resend': 'manage_webhooks',
  'POST /webhooks/:id/replay': 'manage_webhooks',
  'POST /webmcp/call': 'call_tool',
};

/** The same of UCP, where each operation is a tool as well. */
const UCP_ROUTES: Readonly<Record<string, string>> = {
  'POST /catalog/search': 'search_catalog',
  'POST /catalog/lookup': 'lookup_catalog',
  'POST /catalog/product': 'get_product',
  'POST /checkout-sessions': 'create_checkout',
  'GET /checkout-sessions/:id': 'get_checkout',
  'PUT /checkout-sessions/:id': 'update_checkout',
  'POST /checkout-sessions/:id/complete': 'complete_checkout',
  'POST /checkout-sessions/:id/cancel': 'cancel_checkout',
  'GET /orders/:id': 'get_order',
};

/** An MCP message that calls no tool. */
export const MCP_MESSAGE = 'mcp_message';

export const OPERATIONS: readonly string[] = [
  ...new Set([ROUTES, UCP_ROUTES].flatMap((routes) => Object.values(routes))),
  MCP_MESSAGE,
  OTHER,
];

const BY_ROUTE: ReadonlyMap<string, string> = new Map(Object.entries(ROUTES));
const BY_UCP_ROUTE: ReadonlyMap<string, string> = new Map(Object.entries(UCP_ROUTES));

/** The operation of a method and a route pattern below `{base_url}`, or below the endpoint of UCP. */
export const operationOf = (method: string, pattern: string, isUcp = false): string =>
  (isUcp ? BY_UCP_ROUTE : BY_ROUTE).get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? OTHER;

const STEPS: Readonly<Record<string, FunnelStep>> = {
  search_flights: 'search',
  search_catalog: 'search',
  lookup_catalog: 'search',
  get_flight: 'search',
  quote_fares: 'quote',
  get_product: 'quote',
  create_booking: 'booking',
  create_checkout: 'booking',
  create_mandate: 'mandate',
  place_order: 'order',
  complete_checkout: 'order',
  get_receipt: 'receipt',
};

/** The steps that a call of an operation takes, as bits: bit 0 is the first step. */
export const stepsOf = (operation: string, status: number): number => {
  const step = status < 400 ? funnelStepOf(operation) : null;
  return step === null ? 0 : bitOf(step);
};

export const bitOf = (step: FunnelStep): number => 1 << FUNNEL.indexOf(step);

/** The funnel step that an operation belongs to, or null. */
export const funnelStepOf = (operation: string): FunnelStep | null =>
  Object.hasOwn(STEPS, operation) ? (STEPS[operation] ?? null) : null;

/** Families by a part of an agent's name in lower case, specific ones first, since most crawlers also name Mozilla. */
const FAMILY_NAMES: readonly (readonly [name: string, family: string])[] = [
  ['cliente piloto', 'alcada-pilot'],
  ['agente deste navegador', 'alcada-site'],
  ['agente de demonstração', 'alcada-demo'],
  ['alcada-demo', 'alcada-demo'],
  ['chatgpt-user', 'chatgpt-user'],
  ['oai-searchbot', 'oai-searchbot'],
  ['gptbot', 'gptbot'],
  ['openai', 'openai'],
  ['chatgpt', 'openai'],
  ['claude-user', 'claude-user'],
  ['claude-searchbot', 'claude-searchbot'],
  ['claudebot', 'claudebot'],
  ['anthropic', 'anthropic'],
  ['claude', 'anthropic'],
  ['perplexity-user', 'perplexity-user'],
  ['perplexity', 'perplexitybot'],
  ['google-extended', 'google-extended'],
  ['googleother', 'googleother'],
  ['googlebot', 'googlebot'],
  ['gemini', 'gemini'],
  ['bingbot', 'bingbot'],
  ['copilot', 'copilot'],
  ['applebot', 'applebot'],
  ['amazonbot', 'amazonbot'],
  ['meta-external', 'meta'],
  ['facebookexternalhit', 'meta'],
  ['mistralai', 'mistral'],
  ['duckassistbot', 'duckassistbot'],
  ['duckduckbot', 'duckduckbot'],
  ['bytespider', 'bytespider'],
  ['ccbot', 'ccbot'],
  ['yandexbot', 'yandexbot'],
  ['cohere', 'cohere'],
  ['langchain', 'langchain'],
  ['llamaindex', 'llamaindex'],
  ['crewai', 'crewai'],
  ['autogen', 'autogen'],
  ['mcp-inspector', 'mcp-inspector'],
  ['playwright', 'playwright'],
  ['headlesschrome', 'headless-chrome'],
  ['python-requests', 'python'],
  ['python-httpx', 'python'],
  ['aiohttp', 'python'],
  ['python', 'python'],
  ['axios', 'node'],
  ['undici', 'node'],
  ['node', 'node'],
  ['go-http-client', 'go'],
  ['okhttp', 'java'],
  ['java/', 'java'],
  ['postman', 'postman'],
  ['curl', 'curl'],
  ['mozilla', 'browser'],
];

export const FAMILIES: readonly string[] = [...new Set(FAMILY_NAMES.map(([, family]) => family)), OTHER];

/** Only the beginning of a longer name is read, which bounds the cost of a lookup. */
const LONGEST_NAME = 256;

/** The family of a self-declared name (a client's, a `User-Agent`, a `Signature-Agent`), or null. */
export const familyNamed = (name: string): string | null => {
  const given = name.slice(0, LONGEST_NAME).toLowerCase();
  return FAMILY_NAMES.find(([part]) => given.includes(part))?.[1] ?? null;
};

/** The families of hosts whose signatures are verified: of the domains that their operators call their own, and below. */
const FAMILY_DOMAINS: readonly (readonly [domain: string, family: string])[] = [
  ['chatgpt.com', 'openai'],
  ['openai.com', 'openai'],
  ['anthropic.com', 'anthropic'],
  ['claude.ai', 'anthropic'],
  ['claude.com', 'anthropic'],
  ['perplexity.ai', 'perplexitybot'],
  ['mistral.ai', 'mistral'],
  ['cohere.com', 'cohere'],
];

/** The family of a host that signed; anybody may have a host with such a name in it, so only whole domains count. */
export const familyOfHost = (host: string): string =>
  FAMILY_DOMAINS.find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? OTHER;
