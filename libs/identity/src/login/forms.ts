import type { BaseUrls } from '#http';
import { html, type Html } from '#site';
import type { FastifyRequest } from 'fastify';
import { type Parameters, parametersOf } from '../parameters.js';
import { RequestError } from '../protocol-error.js';
import { hmacOf, sameSecret } from '../secrets.js';
import { type Session, sessionIdIn } from '../sessions.js';
import type { ReturnTarget, ReturnTargets } from './return-targets.js';

/** The CSRF token of a form: from the browser's session id and the form's subject, valid for no other. Nothing is stored. */
export const csrfToken = (sessionId: string, subject: string): string => hmacOf(sessionId, `csrf ${subject}`);

export interface SentForm {
  readonly origin: string | undefined;
  readonly sessionId: string | null;
  readonly csrf: string | undefined;
}

/** Whether a form may come from one of our pages: a browser says where from, a program need not. */
export const isOwnOrigin = (origin: string | undefined, urls: BaseUrls): boolean =>
  origin === undefined || [urls.auth, urls.site].some((own) => new URL(own).origin === origin);

/** Checks that our page sent a form, in the browser that it was shown to. @throws RequestError `form_forged` */
export const checkForm = ({ origin, sessionId, csrf }: SentForm, subject: string, urls: BaseUrls): void => {
  const isProven = sessionId !== null && csrf !== undefined && sameSecret(csrf, csrfToken(sessionId, subject));
  if (!isOwnOrigin(origin, urls) || !isProven) throw new RequestError('form_forged');
};

/** What the CSRF token of a form is bound to; null: to the session alone. */
export const subjectOf = (to: ReturnTarget | null): string => (to ? `${to.kind} ${to.id}` : 'session');

/** A field of a form that nobody sees. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** The hidden fields of a form: its subject (null: the session alone) and a CSRF token, nothing else. */
export const hiddenFields = (sessionId: string, to: ReturnTarget | null): Html =>
  html`${to && hidden(to.kind, to.id)}${hidden('csrf', csrfToken(sessionId, subjectOf(to)))}`;

/** Who is logged in, with a button to log out. `to`: where another account may log in; null: nowhere. Nothing for nobody. */
export const logoutForm = ({ id, traveller }: Session, to: ReturnTarget | null): Html | null =>
  traveller &&
  html`<form class="who" method="post" action="/oauth/logout">
    ${hiddenFields(id, to)}
    <p>Você entrou como <strong>${traveller.email}</strong></p>
    <button class="link" type="submit">${to ? 'Sair e trocar de conta' : 'Sair'}</button>
  </form>`;

/** A form that was sent from our own page. */
export interface SubmittedForm {
  /** The subject that the form names; null: the session alone. */
  readonly to: ReturnTarget | null;
  readonly fields: Parameters;
}

/** Reads a form that names its own subject. @throws RequestError `parameter_flawed`, `form_forged` */
export const formOf = (request: FastifyRequest, targets: ReturnTargets): SubmittedForm => {
  const to = targets.namedIn(fieldsOf(request));
  return { to, fields: formAbout(to, request) };
};

/** Reads a form whose subject must be `to`. @throws RequestError `parameter_flawed`, `form_forged` */
export const formAbout = (to: ReturnTarget | null, request: FastifyRequest): Parameters =>
  formWith(subjectOf(to), sessionIdIn(request), request);

/** Reads a form with this subject, from the browser with this id. @throws RequestError `parameter_flawed`, `form_forged` */
export const formWith = (subject: string, sessionId: string | null, request: FastifyRequest): Parameters => {
  const fields = fieldsOf(request);
  checkForm({ origin: request.headers.origin, sessionId, csrf: fields.optional('csrf') }, subject, request.urls);
  return fields;
};

const fieldsOf = ({ body }: FastifyRequest): Parameters => {
  const fields = parametersOf(body);
  fields.requireWellFormed();
  return fields;
};

/** The button that was pressed. @throws RequestError `decision_unknown` where it is neither */
export const decisionIn = (fields: Parameters): 'approve' | 'deny' => {
  const decision = fields.optional('decision');
  if (decision !== 'approve' && decision !== 'deny') throw new RequestError('decision_unknown');
  return decision;
};
