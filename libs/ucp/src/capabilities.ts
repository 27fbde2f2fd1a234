import { CATALOG_LOOKUP, CATALOG_SEARCH, CHECKOUT, IDENTITY_LINKING, ORDER, VERSION } from './versions.js';

/** What can be done here, as the profile says it (UCP, `capability.json`). */
export interface Capability {
  readonly name: string;
  readonly version: string;
  readonly spec: string;
  readonly schema: string;
  /** What it adds to; none: it stands by itself. */
  readonly extends: readonly string[];
  readonly config?: object;
}

/** Scopes of the protocol (UCP, Identity Linking, Scopes), with what they let an agent do. */
export const UCP_SCOPES = {
  'dev.ucp.shopping.order:read': 'Ver os pedidos e recibos feitos em seu nome.',
  'dev.ucp.shopping.order:manage': 'Comprar e cancelar em seu nome, dentro dos mandatos que você concedeu.',
} as const;

const SITE = `https://ucp.dev/${VERSION}`;

const ofProtocol = (name: string, page: string, schema: string, config?: object): Capability => ({
  name,
  version: VERSION,
  spec: `${SITE}/specification/${page}`,
  schema: `${SITE}/schemas/${schema}.json`,
  extends: [],
  ...(config && { config }),
});

const scopes = Object.fromEntries(
  Object.entries(UCP_SCOPES).map(([scope, plain]) => [scope, { description: { plain } }]),
);

/** What everybody can do here. */
export const CAPABILITIES: readonly Capability[] = [
  ofProtocol(CHECKOUT, 'checkout', 'shopping/checkout'),
  ofProtocol(ORDER, 'order', 'shopping/order'),
  ofProtocol(CATALOG_SEARCH, 'catalog/search', 'shopping/catalog_search'),
  ofProtocol(CATALOG_LOOKUP, 'catalog/lookup', 'shopping/catalog_lookup'),
  ofProtocol(IDENTITY_LINKING, 'identity-linking', 'common/identity_linking', { scopes }),
];
