import { asset, assetLink } from '#site';
import { PAGE } from './page.js';
import { TEXTS } from './texts.js';

export const SCRIPT_NAME = 'playground.js';

/** What runs in the browser once a code has come back: exchanges it, keeps the tokens, calls the API. No dependency. */
export const SCRIPT = asset('text/javascript; charset=utf-8', TEXTS + PAGE);

/** Address of the script. */
export const SCRIPT_LINK = assetLink(SCRIPT_NAME, SCRIPT);
