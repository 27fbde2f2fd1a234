import type { Links } from '#http';
import { formTarget, html, type Html, page, type Page } from '#site';

/** The hidden fields of every form of an authorization request: its id and a CSRF token, nothing else. */
export const hiddenFields = (requestId: string, csrf: string): Html =>
  html`<input type="hidden" name="request" value="${requestId}" /><input type="hidden" name="csrf" value="${csrf}" />`;

/** What a page of the authorization server shows. */
export interface OAuthPage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly links: Links;
  /** The validated redirect URI: Chromium counts the redirect after a form's POST as the form's target too. */
  readonly redirectUri?: string;
}

export const oauthPage = ({ status = 200, title, content, links, redirectUri }: OAuthPage): Page => ({
  status,
  html: page({ title, content, host: new URL(links.auth).host }),
  formTargets: redirectUri === undefined ? [] : [formTarget(redirectUri)],
});
