import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { tellSkipped } from '#testing';
import { apiAt, tokensFor } from '../support/agent.js';
import { bodyOf, book, buy, grant } from '../support/purchase.js';
import { originOf, watched } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { dockerfile, imageEnvironment } from './programs.js';

stayEmbedded('the image is tried with its data in a volume');

const TOOLS = ['unshare', 'mount', 'chroot', 'setpriv'];
/** Only root gives a process a root of its own, and not everywhere. */
const canMount =
  process.getuid?.() === 0 &&
  TOOLS.every((tool) => spawnSync(tool, ['--version']).status === 0) &&
  spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!canMount) tellSkipped('the file tree of the image', `it runs as root of a Linux that has ${TOOLS.join(', ')}`);

/** The Node of the image, where it is given; otherwise the one that runs the tests. */
const { NODE24: NODE = process.execPath } = process.env;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of the two stages of the Dockerfile. */
const [build = [], image = []]: readonly (readonly Instruction[])[] = dockerfile
  .replaceAll('\\\n', ' ')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest })));

const wordsOf = (name: string): readonly string[] => {
  const { rest } = image.find((one) => one.name === name) ?? {};
  if (rest === undefined) throw new Error(`the image has no ${name}`);
  return rest.startsWith('[') ? (JSON.parse(rest) as string[]) : rest.split(':');
};

/** Runs a command in the image's root over this machine's libraries; `ro`: read alone but for its volumes. */
const ENTER = `set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
for part in /bin /sbin /lib /lib64 /etc /dev /proc /usr/*; do
  if [ -d "$part" ] && [ ! -L "$part" ] && [ "$part" != /usr/local ]; then
    mkdir -p "$root$part"
    mount --rbind "$part" "$root$part"
  fi
done
if [ "$2" = ro ]; then
  mount --bind "$root/data" "$root/data"
  mount --bind "$root/tmp" "$root/tmp"
  mount -o remount,bind,ro "$root"
fi
shift 2
exec chroot "$root" "$@"`;

let folder: string;
const root = (...path: readonly string[]): string => join(folder, 'root', ...path);
const entering = (access: 'rw' | 'ro', ...command: readonly string[]): readonly string[] => [
  ...['--mount', 'sh', '-c', ENTER, 'enter', root(), access],
  ...command,
];

const must = (command: string, args: readonly string[], cwd: string): void => {
  const path = [join(NODE, '..'), process.env['PATH']].join(':');
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, PATH: path } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}:\n${stderr}`);
};

/** COPY: files into a folder, or a folder's content into another. */
const copy = (words: string, from: string, to: string): void => {
  const paths = words.replace('--from=build', '').trim().split(' ');
  const target = paths.pop() ?? '';
  for (const path of paths.map((one) => one.replace('/app/', '')))
    cpSync(join(from, path), join(to, target === './' ? path : target), { recursive: true, verbatimSymlinks: true });
};

beforeAll(async () => {
  if (!canMount) return;
  folder = await newFolder();
  chmodSync(folder, 0o755);
  const context = join(folder, 'build');
  mkdirSync(context);
  for (const { name, rest } of build) {
    if (name === 'COPY') copy(rest, '.', context);
    // The packages that are installed here: of the same lock file, and nothing is downloaded.
    else if (name === 'RUN' && rest.startsWith('npm ci')) must('cp', ['-a', 'node_modules', context], '.');
    else if (name === 'RUN') must('sh', ['-c', rest], context);
  }
  for (const path of ['app', 'tmp', 'usr/local/bin']) mkdirSync(root(path), { recursive: true });
  for (const name of readdirSync('/').filter((one) => lstatSync(join('/', one)).isSymbolicLink()))
    symlinkSync(readlinkSync(join('/', name)), root(name));
  chmodSync(root('tmp'), 0o1777);
  copyFileSync(NODE, root('usr/local/bin/node'));
  for (const { name, rest } of image) {
    if (name === 'RUN') must('unshare', entering('rw', 'sh', '-c', rest), folder);
    if (name === 'COPY') copy(rest, context, root('app'));
  }
}, 600_000);
afterAll(async () => {
  if (canMount) await removeFolder(folder);
});

/** Runs a command as the image would. */
const run = (command: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const [user, group] = wordsOf('USER');
  const drop = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--no-new-privs'];
  const env = { PATH, ...imageEnvironment, ...environment };
  const cwd = ['sh', '-c', `cd ${wordsOf('WORKDIR').join('')} && exec "$@"`, 'in'];
  return watched(spawn('unshare', entering('ro', ...drop, ...cwd, ...command), { env }));
};

const FOR_DEVELOPMENT = { NODE_ENV: 'development', HOST: '127.0.0.1', PORT: '0', PASSWORD_COST: '10' };
const startService = async () => {
  const { child, real } = run(wordsOf('CMD'), FOR_DEVELOPMENT);
  return { ...real, origin: await originOf(child) };
};

(canMount ? describe : describe.skip)('the file tree of the image', () => {
  it('has what production depends on alone, and no sources', () => {
    const has = (path: string) => existsSync(root('app', path));
    expect([has('node_modules/libsql'), has('dist/apps/api/src/main.js')]).toEqual([true, true]);
    expect(['node_modules/jest', 'node_modules/eslint', 'apps', 'libs', 'test'].filter(has)).toEqual([]);
  });

  it('is to be read alone', async () => {
    const { real } = run(['sh', '-c', 'id -u; touch /data/here && ! touch /app/there']);
    expect([await real.ended, real.stdout()]).toEqual([{ code: 0, signal: null }, '1000\n']);
    expect(real.stderr()).toContain('Read-only file system');
  });

  it('refuses to start in production without a configuration', async () => {
    const { real } = run(wordsOf('CMD'));
    expect([await real.ended, real.stdout()]).toEqual([{ code: 78, signal: null }, '']);
    expect(real.stderr()).toContain('KEY_ENCRYPTION_KEY');
  });

  it('starts, sells, is killed, and starts again with what was sold', async () => {
    const service = await startService();
    const { access_token } = await tokensFor(service.origin);
    const ana = apiAt(service.origin, access_token);
    const { id } = await buy(ana, await book(ana), await grant(ana, 1_000_00));
    await service.end('SIGKILL');
    const again = await startService();
    const receipt = await apiAt(again.origin, access_token).get<{ ticketId: string }>(`/orders/${id}/receipt`);
    expect(bodyOf(receipt, 200).ticketId).toBe(id);
    expect(await again.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('has the commands, which find every rule kept', async () => {
    const { real } = run(['alcada', 'audit', 'verify'], FOR_DEVELOPMENT);
    expect([await real.ended, real.stdout(), real.stderr()]).toEqual([
      { code: 0, signal: null },
      expect.stringContaining('Every rule holds'),
      expect.any(String),
    ]);
  });
});
