import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Asset, asset } from '#site';

const SCRIPT = 'text/javascript; charset=utf-8';

/** SHA-256 as plain modules. A browser's own answers later, and a tree is hashed at once. */
const NOBLE = pathToFileURL(createRequire(import.meta.url).resolve('@noble/hashes/sha2.js'));
/** The core that the command line and the tests use too, as it was compiled. */
const VERIFIER = new URL('../../../verifier/src/index.js', import.meta.url);
const PAGE = new URL('./browser/', import.meta.url);

const IMPORT = /^(?:import|export)\b[^'"]*\bfrom\s*['"](\.[^'"]+)['"]/gm;

/** A module and everything it imports, as they stand, by their path below the folder of the first. */
const modulesFrom = (first: URL): ReadonlyMap<string, string> => {
  const folder = new URL('.', first).href;
  const found = new Map<string, string>();
  const take = (module: URL): void => {
    const path = module.href.slice(folder.length);
    if (found.has(path)) return;
    const text = readFileSync(module, 'utf8');
    found.set(path, text.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
    for (const [, imported = ''] of text.matchAll(IMPORT)) take(new URL(imported, module));
  };
  take(first);
  return found;
};

const FOLDER = 'libs/storefront/src/verification';
const OWN = `${FOLDER}/browser`;

/** Where each file stands in the repository, so that the imports of one find the other. */
const FILES = new Map([
  ...[...modulesFrom(NOBLE)].map(([path, text]) => [`node_modules/@noble/hashes/${path}`, text] as const),
  ...[...modulesFrom(VERIFIER)].map(([path, text]) => [`libs/verifier/src/${path}`, text] as const),
  ...['refusal-text.js', 'ticket-text.js'].flatMap((name) =>
    [...modulesFrom(new URL(name, import.meta.url))].map(([path, text]) => [`${FOLDER}/${path}`, text] as const),
  ),
  ...['verificar.js', 'words.js'].map((name) => [`${OWN}/${name}`, readFileSync(new URL(name, PAGE), 'utf8')] as const),
]);

/** Changes with the content of any file: modules that import one another are never of two versions. */
const VERSION = createHash('sha256')
  .update(JSON.stringify([...FILES]))
  .digest('hex')
  .slice(0, 12);

/** What the page of verification loads, by its path below `/assets/verificar/`: plain modules, and nothing is bundled. */
export const VERIFICATION_FILES: ReadonlyMap<string, Asset> = new Map(
  [...FILES].map(([path, text]) => [`${VERSION}/${path}`, { ...asset(SCRIPT, text), isForEver: true }]),
);

export const VERIFICATION_SCRIPT = `/assets/verificar/${VERSION}/${OWN}/verificar.js`;

const STYLES = readFileSync(new URL('verificar.css', PAGE), 'utf8');
export const VERIFICATION_STYLES = asset('text/css; charset=utf-8', STYLES);
