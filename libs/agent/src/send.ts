export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** Sends a request: `fetch` by the network, another into a process without it. */
export type Send = (url: string | URL, request?: Sent & { readonly redirect?: 'manual' }) => Promise<Response>;
