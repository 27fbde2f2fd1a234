import type { BaseUrls } from '#http';
import { RequestError } from '../protocol-error.js';
import { proofOf, sameSecret } from '../secrets.js';

/**
 * The CSRF token of a form: made from the browser's session id, which no other site knows, and from what the form is
 * about, so that it is good for nothing else. Nothing is stored.
 */
export const csrfToken = (sessionId: string, subject: string): string => proofOf(sessionId, `csrf ${subject}`);

/** A form as it arrived. */
export interface SentForm {
  readonly origin: string | undefined;
  readonly sessionId: string | null;
  readonly csrf: string | undefined;
}

/**
 * The form was sent from our own page, by the browser it was shown to. Browsers always tell the origin of a POST; what
 * tells none is no browser, and has only the token to show.
 *
 * @throws RequestError `form_forged`
 */
export const checkForm = ({ origin, sessionId, csrf }: SentForm, subject: string, urls: BaseUrls): void => {
  const isOwn = origin === undefined || [urls.auth, urls.site].some((own) => new URL(own).origin === origin);
  const isShown = sessionId !== null && csrf !== undefined && sameSecret(csrf, csrfToken(sessionId, subject));
  if (!isOwn || !isShown) throw new RequestError('form_forged');
};
