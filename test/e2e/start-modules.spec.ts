import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { COMMAND_NAMES } from '../../apps/cli/src/program.js';
import { built } from '../support/built.js';
import { type LoadedThread, loadedThreads } from '../support/loaded-modules.js';
import { runCommand, runService, startProcess } from '../support/real-process.js';
import { ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it looks at what a process without servers loads');

const TREE = resolve('.');

const folder = ownFolder();

const mainOf = (threads: readonly LoadedThread[]): LoadedThread => {
  const main = threads.find((thread) => thread.main);
  if (!main) throw new Error('no thread was looked at');
  return main;
};

const found = (names: readonly string[], threads: readonly LoadedThread[]): readonly string[] =>
  names.filter((name) => threads.some(({ sources }) => sources.some((source) => source.includes(name))));

describe('a start of the service', () => {
  let threads: readonly LoadedThread[];
  beforeAll(async () => {
    const coverage = join(folder, 'coverage');
    const service = await startProcess(join(folder, 'data'), { NODE_V8_COVERAGE: coverage });
    expect((await fetch(`${service.origin}/api/v1/health`)).status).toBe(200);
    await service.end('SIGTERM');
    threads = loadedThreads(coverage, TREE);
  });

  it('reads a few files, of a bounded number of sources', () => {
    const { files, sources } = mainOf(threads);
    expect(sources).toContain('apps/api/src/start.ts');
    expect(files).toBeLessThan(60);
    expect(sources.length).toBeLessThan(1_700);
  });

  it('loads nothing that only a configuration or a request asks for', () => {
    const drivers = ['mongodb/', '@eventstore/', '@grpc/', '/documents.mongodb.ts', '/event-store.eventstoredb.ts'];
    const telemetry = [
      '@opentelemetry/sdk-trace/',
      '@opentelemetry/exporter-trace-otlp-http/',
      'runtime/src/telemetry/tracing.ts',
    ];
    const protocols = ['@modelcontextprotocol/', 'mcp-server.ts', '/ajv/', 'light-my-request/'];
    const description = ['swagger/dist/swagger-scanner', 'api/src/openapi.ts', 'js-yaml/'];
    const unused = ['libphonenumber-js/', '@nestjs/microservices/'];
    expect(found([...drivers, ...telemetry, ...protocols, ...description, ...unused], threads)).toEqual([]);
  });

  it('has threads that load what they run', () => {
    const writers = threads.filter(({ main }) => !main);
    expect(writers).toHaveLength(3);
    expect(found(['@nestjs/', 'fastify/', 'rxjs/', 'libs/http/', 'apps/'], writers)).toEqual([]);
    // Of the three one projects; the log and the documents are only written.
    const [log = 0, documents = 0, projecting = 0] = writers.map(({ sources }) => sources.length).sort((a, b) => a - b);
    expect([log, documents].every((count) => count < 20)).toBe(true);
    expect(projecting).toBeLessThan(220);
  });
});

describe('the client of a server', () => {
  it('is loaded whole from its package: of two copies of gRPC one would not send the login of the other', () => {
    const maps = readdirSync(built('chunks'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.map'),
    );
    const sources = maps.flatMap((name) => {
      const map = JSON.parse(readFileSync(join(built('chunks'), name), 'utf8')) as {
        readonly sources: readonly string[];
      };
      return map.sources;
    });
    expect(sources.some((source) => source.endsWith('event-store/src/event-store.eventstoredb.ts'))).toBe(true);
    expect(
      sources.filter((source) => /node_modules\/(@grpc|google-protobuf|@eventstore|bson|mongodb)/.test(source)),
    ).toEqual([]);
  });
});

describe('a command', () => {
  it.each(swept({ short: ['audit', 'client'], middle: COMMAND_NAMES, full: COMMAND_NAMES }))(
    'brings with it what it needs: %s',
    async (name) => {
      const command = runCommand([name, '--help'], {});
      expect([await command.ended, command.stderr()]).toEqual([{ code: 0, signal: null }, '']);
    },
  );
});

describe('the list of the commands', () => {
  const main = built('apps/cli/src/main.js');

  it('loads none of them', async () => {
    const coverage = join(folder, 'help');
    const command = runCommand(['--help'], { NODE_V8_COVERAGE: coverage });
    expect(await command.ended).toEqual({ code: 0, signal: null });
    const ours = mainOf(loadedThreads(coverage, TREE)).sources.filter((source) => /^(apps|libs)/.test(source));
    const itself = ['main', 'program', 'run'].map((name) => `apps/cli/src/${name}.ts`);
    expect(ours.sort()).toEqual([...itself, 'libs/runtime/src/version.ts']);
  });

  it('is no error to who reads no further', async () => {
    const command = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    command.stdout.destroy();
    const stderr = text(command.stderr);
    expect(await once(command, 'close')).toEqual([0, null]);
    expect(await stderr).toBe('');
  });
});

it('names the sources in a stack trace of the built program', async () => {
  const thrower = join(folder, 'thrower.mjs');
  await writeFile(thrower, "process.umask = () => { throw new Error('no mask'); };");
  const options = `--enable-source-maps --import ${thrower}`;
  const service = runService({ PORT: '0', DATA_DIR: join(folder, 'none'), NODE_OPTIONS: options });
  await service.ended;
  expect(service.stderr()).toMatch(
    /no mask\n.*\n\s+at .*libs\/runtime\/src\/run-process\.ts:\d+:\d+\)?\n.*apps\/api\/src\/main\.ts:/,
  );
});
