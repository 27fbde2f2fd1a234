import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { etagOf } from '#http';

export interface Asset {
  readonly type: string;
  readonly body: string | Buffer;
  readonly etag: string;
  /** Whether it never changes below its path, which has a version in it. One with `?v=` at its end needs no saying so. */
  readonly isForEver?: true;
}

export const asset = <Body extends string | Buffer>(type: string, body: Body): Asset & { readonly body: Body } => ({
  type,
  body,
  etag: etagOf(body),
});

/** A script as a page loads it, held to its content (Subresource Integrity). */
export const scriptAt = (src: string, { body }: Asset): { readonly src: string; readonly integrity: string } => ({
  src,
  integrity: `sha384-${createHash('sha384').update(body).digest('base64')}`,
});

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0d5f57"/>
<path d="M7 8h18M10 25v-6M16 25V15M22 25V12" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;

/** A file beside this one, where the build copies it as it stands. */
const read = (name: string): Buffer => readFileSync(new URL(`./${name}`, import.meta.url));

/** The one stylesheet of all pages; what comes later overrides what came before. */
const STYLESHEET = ['base', 'controls', 'consent', 'steps', 'account', 'audit', 'public']
  .map((name) => read(`styles/${name}.css`).toString())
  .join('\n');

/** What link previews show, 1200 by 630. */
const PREVIEW = read('preview.png');

/** Every file below `/assets/` that all pages share, by name. */
export const ASSETS = {
  'site.css': asset('text/css; charset=utf-8', STYLESHEET),
  'icon.svg': asset('image/svg+xml', ICON),
  'preview.png': asset('image/png', PREVIEW),
  'copiar.js': asset('text/javascript; charset=utf-8', read('browser/copiar.js').toString()),
  'at-most.js': asset('text/javascript; charset=utf-8', read('browser/at-most.js').toString()),
  'page.js': asset('text/javascript; charset=utf-8', read('browser/page.js').toString()),
} as const satisfies Readonly<Record<string, Asset>>;

/** A short digest of a file's content, for its address. */
export const versionOf = ({ etag }: Asset): string => etag.slice(1, 9);

/** Address of a file; it changes with its content, so that no page ever meets an old one in a cache. */
export const assetLink = (name: string, file: Asset): string => `/assets/${name}?v=${versionOf(file)}`;

/** The script of pages for one traveller: they can do without it. */
export const PAGE_SCRIPT = assetLink('page.js', ASSETS['page.js']);
/** The script of a page with a button that shows what an agent could spend at most. */
export const AT_MOST_SCRIPT = assetLink('at-most.js', ASSETS['at-most.js']);
export const STYLESHEET_LINK = assetLink('site.css', ASSETS['site.css']);
export const ICON_LINK = assetLink('icon.svg', ASSETS['icon.svg']);
export const PREVIEW_LINK = assetLink('preview.png', ASSETS['preview.png']);
/** Address of the script of pages that have something to copy: a module. */
export const COPY_SCRIPT = assetLink('copiar.js', ASSETS['copiar.js']);
