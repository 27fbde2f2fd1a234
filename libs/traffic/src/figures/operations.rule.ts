/** Everything that does not go by a name of its own: operations nobody knows, agents nobody knows. */
export const OTHER = 'other';

/** The ways from a search to a receipt, in their order. */
export const FUNNEL = ['search', 'quote', 'booking', 'mandate', 'order', 'receipt'] as const;
export type FunnelStep = (typeof FUNNEL)[number];

/** The doors. */
export const CHANNELS = ['rest', 'webmcp', 'mcp'] as const;
export type Channel = (typeof CHANNELS)[number];

/**
 * Operations by route below `{base_url}`: what is a tool as well goes by the tool's name, so that all doors count together.
 * Health and the observability of traffic itself are not traffic, and so are not here.
 */
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
  'POST /webmcp/call': 'call_tool',
};

/** A message of MCP that calls no tool. */
export const MCP_MESSAGE = 'mcp_message';

/** Every operation that traffic is told by. */
export const OPERATIONS: readonly string[] = [...new Set(Object.values(ROUTES)), MCP_MESSAGE, OTHER];

const BY_ROUTE: ReadonlyMap<string, string> = new Map(Object.entries(ROUTES));

/** The operation of a method and a route pattern below `{base_url}`. */
export const operationOf = (method: string, pattern: string): string =>
  BY_ROUTE.get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? OTHER;

const STEPS: Readonly<Record<string, FunnelStep>> = {
  search_flights: 'search',
  get_flight: 'search',
  quote_fares: 'quote',
  create_booking: 'booking',
  create_mandate: 'mandate',
  place_order: 'order',
  get_receipt: 'receipt',
};

/** The step of the funnel that an operation is; null: none. */
export const funnelStepOf = (operation: string): FunnelStep | null =>
  Object.hasOwn(STEPS, operation) ? (STEPS[operation] ?? null) : null;
