/** What a page needs beside its markup. */
export interface PagePolicy {
  /** Where its forms may lead, redirects included, beside its own origin (CSP source expressions). */
  readonly formTargets?: readonly string[];
  /** What its script may call beside its own origin (CSP source expressions). Absent: no script runs. */
  readonly scriptTargets?: readonly string[] | 'none';
  /** Whether its address may hold a secret: then no referrer is sent, and its forms send `Origin: null`. */
  readonly isAddressSecret?: boolean;
  /** Whether it is for everybody: caches may keep it if they ask again, and agents in the browser may use its tools. */
  readonly isPublic?: boolean;
}

/** What browsers want of a page that offers tools to agents, and of none that it could be confused with (WebMCP, Security). */
const FOR_EVERYBODY = {
  'cache-control': 'no-cache',
  'permissions-policy': 'tools=(self)',
  // The window in which a traveller lets an agent in is one that this page opened.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};

/** Security headers of every page. Not `Referrer-Policy: no-referrer`, with which forms send `Origin: null`. */
export const pageHeaders = (policy: PagePolicy = {}): Readonly<Record<string, string>> => {
  const { formTargets = [], scriptTargets, isAddressSecret = false, isPublic = false } = policy;
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      ...(scriptTargets ? ["script-src 'self'", `connect-src ${connections(scriptTargets)}`] : []),
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
    'origin-agent-cluster': '?1',
    ...(isPublic ? FOR_EVERYBODY : { 'cache-control': 'no-store' }),
  };
};

const connections = (targets: readonly string[] | 'none'): string =>
  targets === 'none' ? "'none'" : ["'self'", ...targets].join(' ');

/** The CSP source of a redirect's target: its origin, or its scheme where that is no source (CSP Level 3 §2.3.1). */
export const formTarget = (url: string): string => {
  const { origin, protocol, hostname } = new URL(url);
  return origin === 'null' || hostname.startsWith('[')
    ? protocol
    : origin.replaceAll(';', '%3B').replaceAll(',', '%2C');
};
