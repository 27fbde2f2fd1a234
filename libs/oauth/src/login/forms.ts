import { html, type Html } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '../oauth-error.js';
import { type Parameters, parametersOf } from '../parameters.js';
import { checkForm, csrfToken } from '../sessions/form-guard.js';
import { sessionIdIn } from '../sessions/session-cookie.js';
import { type ReturnTarget, returnTargetIn, subjectOf } from './return-target.js';

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`;

/** The hidden fields of a form: what it is about (null: the session alone) and a CSRF token, nothing else. */
export const hiddenFields = (sessionId: string, to: ReturnTarget | null): Html =>
  html`${to && hidden(to.kind, to.id)}${hidden('csrf', csrfToken(sessionId, subjectOf(to)))}`;

/** A form that came from our own page. */
export interface SentForm {
  /** What it says it is about; null: the session alone. */
  readonly to: ReturnTarget | null;
  readonly fields: Parameters;
}

/** Reads a form, once it is proven ours. @throws OAuthError `parameter_flawed`, `form_forged` */
export const formOf = (request: FastifyRequest): SentForm => {
  const fields = soundFields(request);
  const to = returnTargetIn(fields);
  prove(request, fields, to);
  return { to, fields };
};

/** Reads a form that must be about `to`. @throws OAuthError `parameter_flawed`, `form_forged` */
export const formAbout = (to: ReturnTarget, request: FastifyRequest): Parameters => {
  const fields = soundFields(request);
  prove(request, fields, to);
  return fields;
};

const soundFields = ({ body }: FastifyRequest): Parameters => {
  const fields = parametersOf(body);
  fields.requireSound();
  return fields;
};

const prove = ({ headers, urls }: FastifyRequest, fields: Parameters, to: ReturnTarget | null): void => {
  const sessionId = sessionIdIn(headers.cookie, urls);
  checkForm({ origin: headers.origin, sessionId, csrf: fields.optional('csrf') }, subjectOf(to), urls);
};

/** The button that was pressed. @throws OAuthError `decision_unknown` where it is neither */
export const decisionIn = (fields: Parameters): 'approve' | 'deny' => {
  const decision = fields.optional('decision');
  if (decision !== 'approve' && decision !== 'deny') throw new OAuthError('decision_unknown');
  return decision;
};

/** Sends the browser on after a POST, by GET (RFC 9700 §4.12). */
export const sendOn = (reply: FastifyReply, location: string): void => {
  void reply.code(303).header('location', location).header('cache-control', 'no-store').send();
};
