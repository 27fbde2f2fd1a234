import type { FastifyReply, FastifyRequest } from 'fastify';
import { csrfToken, formWith, newSecret, type Parameters, sessionIdIn, setSessionId } from '#identity';

/** The playground knows a browser by a cookie of its own: a login between request and return renews the session's. */
const COOKIE = 'alcada_playground';
const SUBJECT = 'playground';

/** The id of the browser that sent a request; null where it has none. */
export const knownBrowser = (request: FastifyRequest): string | null => sessionIdIn(request, COOKIE);

/** The id of the browser that sent a request. A browser without an id gets one. */
export const browserOf = (request: FastifyRequest, reply: FastifyReply): string => {
  const known = knownBrowser(request);
  if (known !== null) return known;
  const browserId = newSecret();
  setSessionId(reply, browserId, COOKIE);
  return browserId;
};

/** The token that the page's script sends with each of its requests. */
export const playgroundCsrf = (browserId: string): string => csrfToken(browserId, SUBJECT);

/** The fields that the page's script sent, once they are proven to be ours. @throws RequestError `parameter_flawed`, `form_forged` */
export const fieldsOf = (request: FastifyRequest): Parameters => formWith(SUBJECT, knownBrowser(request), request);
