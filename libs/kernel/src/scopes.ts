/** The six OAuth scopes (docs/interface.md, Scopes); a mandate's scope is a subset of them. */
export const SCOPES = [
  'catalog:read',
  'booking:write',
  'order:write',
  'mandate:create',
  'payment:execute',
  'receipt:read',
] as const;
/** One OAuth scope. */
export type Scope = (typeof SCOPES)[number];

/** What a mandate must cover for a charge (docs/decisions.md, Mandate). */
export const CHARGE_SCOPES: readonly [Scope, ...Scope[]] = ['order:write', 'payment:execute'];

/** Whether `granted` covers all of `needed`. */
export const covers = (granted: readonly Scope[], needed: readonly Scope[]): boolean =>
  needed.every((scope) => granted.includes(scope));
