import { createHash } from 'node:crypto';
import { STYLESHEET } from './stylesheet.js';

/** A file that pages refer to. */
export interface Asset {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

export const asset = (type: string, body: string): Asset => ({
  type,
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0d5f57"/>
<path d="M7 8h18M10 25v-6M16 25V15M22 25V12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;

/** Every file below `/assets/`, by name. */
export const ASSETS = {
  'site.css': asset('text/css; charset=utf-8', STYLESHEET),
  'icon.svg': asset('image/svg+xml', ICON),
} as const satisfies Readonly<Record<string, Asset>>;

/** Address of a file; it changes with its content, so that no page ever meets an old one in a cache. */
export const assetLink = (name: string, { etag }: Asset): string => `/assets/${name}?v=${etag.slice(1, 9)}`;

export const STYLESHEET_LINK = assetLink('site.css', ASSETS['site.css']);
export const ICON_PATH = '/assets/icon.svg';
