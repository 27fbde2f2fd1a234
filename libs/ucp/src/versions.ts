/** The version of the protocol that is spoken, and of each of its capabilities (UCP, Versioning). */
export const VERSION = '2026-04-08';

export const CHECKOUT = 'dev.ucp.shopping.checkout';
export const ORDER = 'dev.ucp.shopping.order';
export const CATALOG_SEARCH = 'dev.ucp.shopping.catalog.search';
export const CATALOG_LOOKUP = 'dev.ucp.shopping.catalog.lookup';
export const AP2 = 'dev.ucp.shopping.ap2_mandate';
/** Our extension of checkouts and orders, below the operator's domain in reverse. */
export const FLIGHTS = 'shopping.flights';
export const IDENTITY_LINKING = 'dev.ucp.common.identity_linking';
