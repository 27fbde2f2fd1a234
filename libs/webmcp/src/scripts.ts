import { readFileSync } from 'node:fs';
import { asset, assetLink, scriptAt } from '#site';

const TYPE = 'text/javascript; charset=utf-8';
const scriptIn = (name: string) => asset(TYPE, readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8'));

/** What runs on the public pages; `nest build` copies it as it stands. */
export const WEBMCP = scriptIn('webmcp.js');
export const CONNECTED = scriptIn('connected.js');
export const CONNECTED_NAME = 'connected.js';
export const CONNECTED_LINK = assetLink(CONNECTED_NAME, CONNECTED);

/** The path of the script below `{site_url}` (docs/interface.md, What the service does, 5) and its digest, as the manifest names them. */
export const WEBMCP_SCRIPT = scriptAt('/webmcp.js', WEBMCP);

/** The script as our own pages load it: by an address that changes with it, so that no cache can break them. */
export const VERSIONED_WEBMCP_SCRIPT = scriptAt(`/webmcp.js?v=${WEBMCP.etag.slice(1, 9)}`, WEBMCP);
