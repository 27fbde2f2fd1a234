import { readFileSync } from 'node:fs';
import { asset, assetLink } from '#site';

export const REPLAY_SCRIPT_NAME = 'auditoria.js';

/** The script that plays a mandate's events. the build copies it unchanged. */
export const REPLAY_ASSET = asset(
  'text/javascript; charset=utf-8',
  readFileSync(new URL('../browser/replay.js', import.meta.url), 'utf8'),
);

export const REPLAY_SCRIPT = assetLink(REPLAY_SCRIPT_NAME, REPLAY_ASSET);
