import type { BaseUrls, ErrorFormat } from '#http';
import { type ErrorAnswer, pageErrors } from '#identity';

/** The target of an authorization response: the validated redirect URI, and the client's state. */
export interface ReturnTo {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** The redirect URI with its own query, the response's parameters, and always `iss` (RFC 9207 §2). */
const responseTo = (
  { redirectUri, state }: ReturnTo,
  { auth }: BaseUrls,
  parameters: Readonly<Record<string, string>>,
): string => {
  const url = new URL(redirectUri);
  const all = { ...parameters, ...(state !== null && { state }), iss: auth };
  for (const [name, value] of Object.entries(all)) url.searchParams.append(name, value);
  return url.href;
};

/** RFC 6749 §4.1.2. */
export const codeResponse = (to: ReturnTo, urls: BaseUrls, code: string): string => responseTo(to, urls, { code });

/** RFC 6749 §4.1.2.1. */
export const errorResponse = (to: ReturnTo, urls: BaseUrls, { error, description }: ErrorAnswer): string =>
  responseTo(to, urls, { error, error_description: description });

/** A request that was refused after its client and redirect URI were validated: the client is informed by redirect. */
export class RefusedByRedirect extends Error {
  override readonly name = 'RefusedByRedirect';

  constructor(
    readonly location: string,
    options: ErrorOptions,
  ) {
    super('refused by redirect', options);
  }
}

export const authorizationErrors: ErrorFormat = (error, request) => {
  if (!(error instanceof RefusedByRedirect)) return pageErrors(error, request);
  const { location, cause } = error;
  return {
    status: 302,
    code: 'refused_by_redirect',
    cause,
    retryAfter: undefined,
    send: (reply) => {
      void reply.code(302).header('location', location).header('cache-control', 'no-store').send();
    },
  };
};
