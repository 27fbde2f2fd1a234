import { html, type Html } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, parametersOf } from '../parameters.js';
import { RequestError } from '../protocol-error.js';
import { checkForm, csrfToken } from '../sessions/form-guard.js';
import { sessionIdIn } from '../sessions/session-cookie.js';
import type { Visitor } from '../sessions/visitors.js';
import type { ReturnTarget, ReturnTargets } from './return-targets.js';

/** What the CSRF token of a form is bound to; null: to no more than the session. */
export const subjectOf = (to: ReturnTarget | null): string => (to ? `${to.kind} ${to.id}` : 'session');

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`;

/** The hidden fields of a form: what it is about (null: the session alone) and a CSRF token, nothing else. */
export const hiddenFields = (sessionId: string, to: ReturnTarget | null): Html =>
  html`${to && hidden(to.kind, to.id)}${hidden('csrf', csrfToken(sessionId, subjectOf(to)))}`;

/** Who is logged in, with a way out: back to where another account is wanted, or (null) just out. Nothing for nobody. */
export const logoutForm = ({ sessionId, traveller }: Visitor, to: ReturnTarget | null): Html | null =>
  traveller &&
  html`<form class="who" method="post" action="/oauth/logout">
    ${hiddenFields(sessionId, to)}
    <p>Você entrou como <strong>${traveller.email}</strong></p>
    <button class="link" type="submit">${to ? 'Sair e trocar de conta' : 'Sair'}</button>
  </form>`;

/** A form that came from our own page. */
export interface SubmittedForm {
  /** What it says it is about; null: the session alone. */
  readonly to: ReturnTarget | null;
  readonly fields: Parameters;
}

/** Reads a form that says itself what it is about. @throws RequestError `parameter_flawed`, `form_forged` */
export const formOf = (request: FastifyRequest, targets: ReturnTargets): SubmittedForm => {
  const to = targets.namedIn(fieldsOf(request));
  return { to, fields: formAbout(to, request) };
};

/** Reads a form that must be about `to`. @throws RequestError `parameter_flawed`, `form_forged` */
export const formAbout = (to: ReturnTarget | null, request: FastifyRequest): Parameters => {
  const { headers, urls } = request;
  const fields = fieldsOf(request);
  const sessionId = sessionIdIn(headers.cookie, urls);
  checkForm({ origin: headers.origin, sessionId, csrf: fields.optional('csrf') }, subjectOf(to), urls);
  return fields;
};

const fieldsOf = ({ body }: FastifyRequest): Parameters => {
  const fields = parametersOf(body);
  fields.requireSound();
  return fields;
};

/** The button that was pressed. @throws RequestError `decision_unknown` where it is neither */
export const decisionIn = (fields: Parameters): 'approve' | 'deny' => {
  const decision = fields.optional('decision');
  if (decision !== 'approve' && decision !== 'deny') throw new RequestError('decision_unknown');
  return decision;
};

/** Sends the browser on after a POST, by GET (RFC 9700 §4.12). */
export const sendOn = (reply: FastifyReply, location: string): void => {
  void reply.code(303).header('location', location).header('cache-control', 'no-store').send();
};
