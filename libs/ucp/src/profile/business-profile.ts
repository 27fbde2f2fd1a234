import type { BaseUrls } from '#http';
import type { Capability } from '../capabilities.js';
import { VERSION } from '../versions.js';

/** Of each name the ways to pay here (UCP, `payment_handler.json`, business_schema). */
export type PaymentHandlers = Readonly<Record<string, readonly object[]>>;

const SITE = `https://ucp.dev/${VERSION}`;

/** What is sold here, how it is asked for, and by which keys our messages are known (UCP, Business Profile). */
export const businessProfile = (
  { site }: BaseUrls,
  all: readonly Capability[],
  handlers: PaymentHandlers,
  keys: readonly object[],
) => {
  const service = (transport: string, endpoint: string, schema: string) => ({
    version: VERSION,
    spec: `${SITE}/specification/overview`,
    transport,
    endpoint: `${site}${endpoint}`,
    schema: `${SITE}/services/shopping/${schema}.json`,
  });
  const capabilities = all.map(({ name, extends: parents, ...one }) => {
    const [parent, ...more] = parents;
    return [name, [{ ...one, ...(parent !== undefined && { extends: more.length > 0 ? parents : parent }) }]] as const;
  });
  return {
    ucp: {
      version: VERSION,
      services: {
        'dev.ucp.shopping': [service('rest', '/ucp/v1', 'rest.openapi'), service('mcp', '/ucp/mcp', 'mcp.openrpc')],
      },
      capabilities: Object.fromEntries(capabilities),
      payment_handlers: handlers,
    },
    signing_keys: keys,
  };
};
