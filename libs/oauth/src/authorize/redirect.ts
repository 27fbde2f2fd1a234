import type { BaseUrls } from '#http';
import type { ErrorAnswer } from '#identity';

/** Where an authorization response goes: the validated redirect URI, with the client's state. */
export interface ReturnTo {
  readonly redirectUri: string;
  readonly state: string | null;
}

/** The redirect URI with the response's parameters; what its query already had stays; `iss` always (RFC 9207 §2). */
const responseTo = (
  { redirectUri, state }: ReturnTo,
  { auth }: BaseUrls,
  parameters: Readonly<Record<string, string>>,
) => {
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
