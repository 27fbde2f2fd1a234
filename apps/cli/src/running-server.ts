import type { Config } from '#config';
import { API } from '#http';

/** How long (ms) a server may take to answer. */
const PATIENCE = 3_000;

/** What a server says of itself; null: none answers. */
export interface Answered {
  readonly isReady: boolean;
  readonly missing: readonly string[];
  readonly version: string | null;
  readonly startedAt: string | null;
}

/** Where the server of this configuration listens, as this machine reaches it. */
export const originOf = ({ host, port, addresses }: Config): string => {
  if (port === 0) return addresses.urls.site;
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${port}`;
};

interface Ready {
  readonly version?: string;
  readonly startedAt?: string;
  readonly details?: { readonly missing?: readonly string[] };
}

/** Asks the server at an address of this service how it is; null: nobody answers there, or somebody else. */
export const askServer = async (origin: string): Promise<Answered | null> => {
  try {
    const response = await fetch(`${origin}/${API}/health/ready`, { signal: AbortSignal.timeout(PATIENCE) });
    const { version, startedAt, details } = (await response.json()) as Ready;
    if (response.status !== 200 && !details) return null;
    const missing = details?.missing ?? [];
    return { isReady: response.ok, missing, version: version ?? null, startedAt: startedAt ?? null };
  } catch {
    return null;
  }
};
