import type { BaseUrls } from '#http';
import { formTarget, type Html, page, type Page } from '#site';

/** What a page of the authorization server shows. */
export interface OAuthPage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly urls: BaseUrls;
  /** The validated redirect URI: Chromium counts the redirect after a form's POST as the form's target too. */
  readonly redirectUri?: string;
}

export const oauthPage = ({ status = 200, title, content, urls, redirectUri }: OAuthPage): Page => ({
  status,
  html: page({ title, content, host: new URL(urls.auth).host }),
  formTargets: redirectUri === undefined ? [] : [formTarget(redirectUri)],
});
