import type { Asking } from './asking.js';
import type { Offered } from './platform/negotiation.rule.js';
import type { UcpSettings } from './ucp-settings.js';
import {
  AP2,
  CATALOG_LOOKUP,
  CATALOG_SEARCH,
  CHECKOUT,
  FLIGHTS,
  IDENTITY_LINKING,
  ORDER,
  VERSION,
} from './versions.js';

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

/** What adds passengers, segments and tickets to checkouts and orders. `namespace`: the operator's domain in reverse, which serves its schema. */
export const flightsCapability = (namespace: string): Capability => {
  const domain = `https://${namespace.split('.').toReversed().join('.')}`;
  return {
    name: `${namespace}.${FLIGHTS}`,
    version: VERSION,
    spec: `${domain}/docs/agents`,
    schema: `${domain}/ucp/v1/schemas/flights`,
    extends: [CHECKOUT, ORDER],
  };
};

/** What asks for mandates of AP2, and signs checkouts for them (UCP, AP2 Mandates, Discovery & Negotiation). */
const AP2_CAPABILITY: Capability = {
  ...ofProtocol(AP2, 'ap2-mandates', 'shopping/ap2_mandate', { vp_formats_supported: { 'dc+sd-jwt': {} } }),
  extends: [CHECKOUT],
};

/** All that can be done here: what is only offered below a domain of the operator's, and mandates of AP2, where these are on. */
export const capabilitiesOf = ({ namespace, ap2 }: Pick<UcpSettings, 'namespace' | 'ap2'>): readonly Capability[] => [
  ...CAPABILITIES,
  ...(ap2 ? [AP2_CAPABILITY] : []),
  ...(namespace === null ? [] : [flightsCapability(namespace)]),
];

/** The same as it is negotiated. */
export const offeredBy = (settings: Pick<UcpSettings, 'namespace' | 'ap2'>): ReadonlyMap<string, Offered> =>
  new Map(capabilitiesOf(settings).map((one) => [one.name, { versions: [one.version], extends: one.extends }]));

/** Whether it is the name of our extension: nobody else's is ever in use. */
export const isFlights = (name: string): boolean => name.endsWith(`.${FLIGHTS}`);

/** Whether both know our extension. */
export const hasFlights = ({ active }: Pick<Asking, 'active'>): boolean => [...active].some(isFlights);

/** Whether both take mandates of AP2: then nothing is bought without (UCP, AP2 Mandates, Session Locking). */
export const hasAp2 = ({ active }: Pick<Asking, 'active'>): boolean => active.has(AP2);
