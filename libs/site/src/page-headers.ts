/** What a page needs beside its markup. */
export interface PagePolicy {
  /** Where its forms may lead, redirects included, beside its own origin (CSP source expressions). */
  readonly formTargets?: readonly string[];
  /** What its script, a file of ours, may call beside its own origin (CSP source expressions). Absent: no script runs. */
  readonly scriptTargets?: readonly string[];
  /** Whether its address may hold a secret: it is told to nobody then, and its forms send `Origin: null`. */
  readonly isAddressSecret?: boolean;
}

/**
 * Security headers of every page: no script but from a file, styles only from a file, never in a frame, never in a cache,
 * no address of ours told to other origins. (`Referrer-Policy: no-referrer` would make forms send `Origin: null`.)
 */
export const pageHeaders = ({ formTargets = [], scriptTargets, isAddressSecret = false }: PagePolicy = {}): Readonly<
  Record<string, string>
> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    ...(scriptTargets ? ["script-src 'self'", `connect-src ${["'self'", ...scriptTargets].join(' ')}`] : []),
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': isAddressSecret ? 'no-referrer' : 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/** The CSP source of a redirect's target: its origin, or its scheme where it has none (an app's own scheme). */
export const formTarget = (url: string): string => {
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
};
