import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, parametersOf } from '../parameters.js';
import { checkForm } from '../sessions/form-guard.js';
import { sessionIdIn } from '../sessions/session-cookie.js';

/** A form of an authorization request that came from our own page. */
export interface RequestForm {
  readonly requestId: string;
  readonly fields: Parameters;
}

/** Reads a form, once it is proven ours. @throws OAuthError `parameter_flawed`, `parameter_missing`, `form_forged` */
export const formOf = ({ body, headers, links }: FastifyRequest): RequestForm => {
  const fields = parametersOf(body);
  fields.requireSound();
  const requestId = fields.required('request');
  const sessionId = sessionIdIn(headers.cookie, links);
  checkForm({ origin: headers.origin, sessionId, csrf: fields.optional('csrf') }, requestId, links);
  return { requestId, fields };
};

/** Sends the browser on after a POST, by GET (RFC 9700 §4.12). */
export const sendOn = (reply: FastifyReply, location: string): void => {
  void reply.code(303).header('location', location).header('cache-control', 'no-store').send();
};

/** Where a request goes on after a login or log-out. */
export const consentPath = (requestId: string): string => `/oauth/consent/${encodeURIComponent(requestId)}`;
