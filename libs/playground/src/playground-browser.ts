import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkForm, csrfToken, newSecret, type Parameters, parametersOf, sessionCookie, sessionIdIn } from '#identity';

/**
 * The playground knows a browser by a cookie of its own. The session's would not do: a login, which lies between the
 * request and the return, gives the session a new id.
 */
const COOKIE = 'alcada_playground';
const SUBJECT = 'playground';

/** The id of the browser that sent a request; null where it has none. */
export const knownBrowser = ({ headers, urls }: FastifyRequest): string | null =>
  sessionIdIn(headers.cookie, urls, COOKIE);

/** The id of the browser that sent a request; one without gets one. */
export const browserOf = (request: FastifyRequest, reply: FastifyReply): string => {
  const known = knownBrowser(request);
  if (known !== null) return known;
  const browserId = newSecret();
  void reply.header('set-cookie', sessionCookie(browserId, request.urls, COOKIE));
  return browserId;
};

/** What the page's script shows with each of its requests. */
export const playgroundCsrf = (browserId: string): string => csrfToken(browserId, SUBJECT);

/** The fields that the page's script sent, once it is proven ours. @throws OAuthError `parameter_flawed`, `form_forged` */
export const fieldsOf = (request: FastifyRequest): Parameters => {
  const { headers, urls, body } = request;
  const fields = parametersOf(body);
  fields.requireSound();
  const sent = { origin: headers.origin, sessionId: knownBrowser(request), csrf: fields.optional('csrf') };
  checkForm(sent, SUBJECT, urls);
  return fields;
};
