/** Everything that does not go by a name of its own: operations nobody knows, agents nobody knows. */
export const OTHER = 'other';

/** The doors. */
export type Channel = 'rest' | 'webmcp' | 'mcp';

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

const BY_ROUTE: ReadonlyMap<string, string> = new Map(Object.entries(ROUTES));

/** The operation of a method and a route pattern below `{base_url}`. */
export const operationOf = (method: string, pattern: string): string =>
  BY_ROUTE.get(`${method === 'HEAD' ? 'GET' : method} ${pattern}`) ?? OTHER;
