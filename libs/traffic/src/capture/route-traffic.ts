import { API } from '#http';
import { type Channel, MCP_MESSAGE, operationOf, OTHER } from '../figures/names.rule.js';

const [API_PATH, MCP_PATH] = [`/${API}`, '/mcp'];
/** Requests of those who monitor the service are not traffic. */
const MONITORING = [`${API_PATH}/health`, `${API_PATH}/observability`];

/** How calls of a route count, unless they call a tool. */
export interface RouteTraffic {
  readonly channel: Channel;
  readonly operation: string;
}

/** By route pattern and method: looked up on every request, so computed once. */
const known = new Map<string, Map<string, RouteTraffic | null>>();

/** How calls of a route count; null if they are not traffic. Without a route (undefined), the requested path decides. */
export const routeTraffic = (method: string, pattern: string | undefined, url: string): RouteTraffic | null => {
  if (pattern === undefined) {
    const [path = ''] = url.split('?', 1);
    return isTraffic(path, method) ? { channel: path === MCP_PATH ? 'mcp' : 'rest', operation: OTHER } : null;
  }
  const ofRoute = known.get(pattern) ?? new Map<string, RouteTraffic | null>();
  const found = ofRoute.get(method);
  if (found !== undefined) return found;
  const traffic = isTraffic(pattern, method) ? trafficOf(method, pattern) : null;
  known.set(pattern, ofRoute.set(method, traffic));
  return traffic;
};

const trafficOf = (method: string, pattern: string): RouteTraffic => {
  if (pattern === MCP_PATH) return { channel: 'mcp', operation: method === 'POST' ? MCP_MESSAGE : OTHER };
  const channel = pattern === `${API_PATH}/webmcp/call` ? 'webmcp' : 'rest';
  return { channel, operation: operationOf(method, pattern.slice(API_PATH.length)) };
};

const isTraffic = (path: string, method: string): boolean =>
  method !== 'OPTIONS' &&
  (path === MCP_PATH || (isWithin(path, API_PATH) && !MONITORING.some((folder) => isWithin(path, folder))));

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
