import { faultOf, type Schema } from '../support/json-schema.js';
import { startServiceInMemory } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const VERSION = { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` };
const ADDRESS = { type: 'string', format: 'uri' };
const NAME = String.raw`^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$`;
const registryOf = (required: readonly string[], properties: object) => ({
  type: 'object',
  propertyNames: { type: 'string', pattern: NAME },
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'object', required, properties } },
});
const entity = { version: VERSION, spec: ADDRESS, schema: ADDRESS };

/** What the specification asks of a business's profile (UCP 2026-04-08: Profile Structure, Key Format, Identity Linking). */
const PROFILE: Schema = {
  type: 'object',
  required: ['ucp', 'signing_keys'],
  properties: {
    ucp: {
      type: 'object',
      required: ['version', 'services', 'capabilities', 'payment_handlers'],
      properties: {
        version: VERSION,
        services: registryOf(['version', 'transport', 'endpoint'], {
          ...entity,
          transport: { enum: ['rest', 'mcp'] },
          endpoint: ADDRESS,
        }),
        capabilities: registryOf(['version', 'spec', 'schema'], entity),
        payment_handlers: registryOf(['id', 'version'], { ...entity, id: { type: 'string' } }),
      },
    },
    signing_keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kid', 'kty', 'crv', 'x', 'y', 'use', 'alg'],
        additionalProperties: false,
        properties: {
          kid: { type: 'string', minLength: 1 },
          kty: { const: 'EC' },
          crv: { const: 'P-256' },
          x: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
          y: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
          use: { const: 'sig' },
          alg: { const: 'ES256' },
        },
      },
    },
  },
};

interface Profile {
  readonly signing_keys: readonly object[];
  readonly ucp: {
    readonly services: Readonly<Record<string, readonly { readonly endpoint: string }[]>>;
    readonly capabilities: Readonly<Record<string, readonly { readonly spec: string; readonly config?: unknown }[]>>;
  };
}

const setting = new SmallSetting();
const PATH = '/.well-known/ucp';

describe('the profile of the business', () => {
  it('is as the specification asks, at addresses of ours and of the authority of each name', async () => {
    const response = await fetch(setting.origin + PATH, { redirect: 'error' });
    expect(response.status).toBe(200);
    const profile = (await response.json()) as Profile;
    expect(faultOf(PROFILE, profile)).toBeNull();
    expect(profile.signing_keys).toHaveLength(1);
    const { services, capabilities } = profile.ucp;
    expect(services['dev.ucp.shopping']?.map(({ endpoint }) => endpoint)).toEqual([
      `${setting.origin}/ucp/v1`,
      `${setting.origin}/ucp/mcp`,
    ]);
    expect(Object.keys(capabilities).sort()).toEqual([
      'dev.ucp.common.identity_linking',
      'dev.ucp.shopping.catalog.lookup',
      'dev.ucp.shopping.catalog.search',
      'dev.ucp.shopping.checkout',
      'dev.ucp.shopping.order',
    ]);
    for (const [one] of Object.values(capabilities)) expect(one?.spec).toMatch(/^https:\/\/ucp\.dev\//);
    const described = { description: { plain: expect.any(String) as unknown } };
    expect(capabilities['dev.ucp.common.identity_linking']?.[0]?.config).toEqual({
      scopes: { 'dev.ucp.shopping.order:read': described, 'dev.ucp.shopping.order:manage': described },
    });
  });

  it('may be kept by everybody, and is sent once', async () => {
    const first = await fetch(setting.origin + PATH);
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const tag = first.headers.get('etag') ?? '';
    const again = await fetch(setting.origin + PATH, { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
  });

  it('names scopes that the authorization server takes', async () => {
    const metadata = await fetch(`${setting.origin}/.well-known/oauth-authorization-server`);
    const { scopes_supported: scopes } = (await metadata.json()) as { readonly scopes_supported: readonly string[] };
    expect(scopes).toEqual(
      expect.arrayContaining(['receipt:read', 'dev.ucp.shopping.order:read', 'dev.ucp.shopping.order:manage']),
    );
  });

  it('is nowhere where agents of others do not buy', async () => {
    const service = await startServiceInMemory({ UCP: 'off' });
    try {
      expect((await fetch(service.origin + PATH)).status).toBe(404);
    } finally {
      await service.stop();
    }
  });
});
