import { ICON_PATH, STYLESHEET_LINK } from './assets.js';
import { html, type Html } from './html.js';

/** What every page of the service consists of. */
interface Parts {
  /** All of the `<title>`. */
  readonly title: string;
  /** What else its head holds. */
  readonly head: Html;
  /** Class of its body. */
  readonly layout?: string;
  readonly body: Html;
}

/** The frame of all pages: language, title, icon, stylesheet. */
export const documentOf = ({ title, head, layout, body }: Parts): string =>
  html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLESHEET_LINK}" />
        ${head}
      </head>
      <body ${layout !== undefined && html`class="${layout}"`}>
        ${body}
      </body>
    </html> `.text;
