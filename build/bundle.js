import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './sources.js';

/** What Node starts by its path: the programs, and what writing threads import. */
const ENTRY = /^apps\/[^/]+\/src\/main\.js$|\.thread\.js$|\.program\.embedded\.js$|\/writer\.embedded\.js$/;

/** Loaded from `node_modules`, whole, where they are wanted: a binary, the clients of servers, and what draws tickets. */
const DRIVERS = [/^(libsql|@eventstore\/db-client|mongodb|pdfkit|fontkit)(\/|$)/];

/** What Nest and Fastify would load only for features that this program does not use. */
const UNUSED = [
  ...[/^@nestjs\/(microservices|websockets|platform-express)/, /^class-transformer/, 'ts-morph'],
  ...[
    /^@fastify\/(static|view|multipart|ajv-compiler|fast-json-stringify-compiler)/,
    'light-my-request',
    'pino-pretty',
  ],
];

/**
 * They do nothing when they are loaded but define what others import: of them what is not imported is left out. All of ours
 * do, and Nest's, but for what its packages import to begin with.
 */
const DEFINING = [
  /\/node_modules\/(@nestjs\/swagger|class-validator|rxjs|@opentelemetry)\//,
  /\/node_modules\/@nestjs\/(common|core|cqrs)\/(?!index\.js)/,
  /\/builds\/[^/]+\/(libs|apps)\//,
];

/** In Node's own resolution rxjs is one file of functions for each, none of which could be left out. */
const ALIAS = {
  'rxjs/operators': join(ROOT, 'node_modules/rxjs/dist/esm/operators/index.js'),
  rxjs: join(ROOT, 'node_modules/rxjs/dist/esm/index.js'),
};

/** Nest's own pipe names the whole of class-validator, and nobody uses that pipe. */
const withoutPipe = {
  name: 'without-pipe',
  resolveId: (source, importer) =>
    source === 'class-validator' && importer?.includes('/node_modules/@nestjs/')
      ? { id: source, external: true }
      : undefined,
};

/** Decorators want `reflect-metadata`, also where nothing is left of the index that imports it to begin with. */
const withMetadata = {
  name: 'with-metadata',
  transform: (code, id) =>
    /\b_(?:_|ts_)decorate\(/.test(code) && /\/(@nestjs|libs|apps)\//.test(id)
      ? { code: `${code}\nimport 'reflect-metadata';\n`, map: null }
      : undefined,
};

/** A module of ours, with the map to its source. It goes on finding files beside itself, wherever its code is now. */
const ours = (folder) => ({
  name: 'ours',
  load: (id) => {
    if (!id.startsWith(`${folder}/`)) return undefined;
    const place = `new URL(${JSON.stringify(relative(folder, id))}, __folder).href`;
    const map = JSON.parse(readFileSync(`${id}.map`, 'utf8'));
    return { code: readFileSync(id, 'utf8').replaceAll('import.meta.url', place), map };
  },
});

/** Node reads every map when it loads its file, and the sources lie where the map says. */
const withoutContent = (path, text) => {
  const { sourcesContent: _, ...map } = JSON.parse(text);
  writeFileSync(path, JSON.stringify(map));
};

/**
 * Puts the programs of a build, and its threads, in the place of their first modules as a few files with everything they
 * import: Node takes a millisecond for each of the thousands that these stand for. What is imported dynamically is a file of its
 * own, which is read when it is wanted. The other modules stay, for tests and for pages that serve them.
 */
export const bundle = async (folder) => {
  const entries = readdirSync(folder, { recursive: true }).filter((path) => ENTRY.test(path));
  // The commands by themselves: each is loaded alone, and would cut what a start of the service reads into as many files.
  const commands = entries.filter((path) => path.startsWith('apps/cli/'));
  await bundleTogether(folder, commands, 'chunks/commands');
  await bundleTogether(
    folder,
    entries.filter((path) => !commands.includes(path)),
    'chunks',
  );
};

const bundleTogether = async (folder, entries, chunks) => {
  if (entries.length === 0) return;
  const build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.js$/, ''), join(folder, path)])),
    cwd: ROOT,
    platform: 'node',
    external: [...DRIVERS, ...UNUSED],
    resolve: { mainFields: ['module', 'main'], alias: ALIAS },
    treeshake: { moduleSideEffects: DEFINING.map((test) => ({ test, sideEffects: false })) },
    plugins: [withoutPipe, ours(folder), withMetadata],
    onLog: (level, log) => {
      if (level === 'warn' && log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: `${chunks}/[name]-[hash].js`,
    banner: ({ fileName }) =>
      `const __folder = new URL(${JSON.stringify(`${relative(dirname(fileName), '.') || '.'}/`)}, import.meta.url);`,
    sourcemap: true,
    keepNames: true, // of classes: schemas, logs and spans show them
    minify: { compress: false, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: true } },
  });
  await build.close();
  for (const { fileName, source } of output)
    if (fileName.endsWith('.map')) withoutContent(join(folder, fileName), source);
};
