import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { asset, assetLink, scriptAt } from '#site';

/** uPlot from its package, served by ourselves: no page loads anything from another host. */
const UPLOT = dirname(createRequire(import.meta.url).resolve('uplot'));
const readUplot = (name: string): string => readFileSync(join(UPLOT, name), 'utf8');
const readOwn = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

export const SCRIPT_NAME = 'observability.js';
export const STYLESHEET_NAME = 'observability.css';

/** The charting library and the page's own scripts, in one file. */
export const SCRIPT_ASSET = asset(
  'text/javascript; charset=utf-8',
  [readUplot('uPlot.iife.min.js'), readOwn('charts.js'), readOwn(SCRIPT_NAME)].join('\n'),
);
export const STYLESHEET_ASSET = asset(
  'text/css; charset=utf-8',
  `${readUplot('uPlot.min.css')}\n${readOwn(STYLESHEET_NAME)}`,
);

export const SCRIPT = scriptAt(assetLink(SCRIPT_NAME, SCRIPT_ASSET), SCRIPT_ASSET);
export const STYLESHEET_PATH = assetLink(STYLESHEET_NAME, STYLESHEET_ASSET);
