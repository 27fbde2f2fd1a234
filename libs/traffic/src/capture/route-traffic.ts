import { API } from '#http';
import { type Channel, MCP_MESSAGE, operationOf, OTHER } from '../figures/operations.rule.js';

const [BELOW, MCP] = [`/${API}`, '/mcp'];
/** What is asked by those who watch, and so is no traffic. */
const WATCHING = [`${BELOW}/health`, `${BELOW}/observability`];

/** How calls of a route count, where they call no tool. */
export interface RouteTraffic {
  readonly channel: Channel;
  readonly operation: string;
}

/** Routes by their patterns, and below by method: looked up at every request, and made out once. */
const known = new Map<string, Map<string, RouteTraffic | null>>();

/** How calls of a route count; null: they are no traffic. `path`: where no route is (undefined), what was asked for. */
export const routeTraffic = (method: string, pattern: string | undefined, path: string): RouteTraffic | null => {
  if (pattern === undefined) {
    const [asked = ''] = path.split('?', 1);
    return isTraffic(asked, method) ? { channel: asked === MCP ? 'mcp' : 'rest', operation: OTHER } : null;
  }
  const ofRoute = known.get(pattern) ?? new Map<string, RouteTraffic | null>();
  const found = ofRoute.get(method);
  if (found !== undefined) return found;
  const traffic = isTraffic(pattern, method) ? trafficOf(method, pattern) : null;
  known.set(pattern, ofRoute.set(method, traffic));
  return traffic;
};

const trafficOf = (method: string, pattern: string): RouteTraffic => {
  if (pattern === MCP) return { channel: 'mcp', operation: MCP_MESSAGE };
  const channel = pattern === `${BELOW}/webmcp/call` ? 'webmcp' : 'rest';
  return { channel, operation: operationOf(method, pattern.slice(BELOW.length)) };
};

const isTraffic = (path: string, method: string): boolean =>
  method !== 'OPTIONS' &&
  (path === MCP || (isWithin(path, BELOW) && !WATCHING.some((watching) => isWithin(path, watching))));

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
