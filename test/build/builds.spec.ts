import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setImmediate, setTimeout } from 'node:timers/promises';

const MAIN = 'apps/api/src/main';
/** A program that says which it is; on each line it is sent it loads a module it has not loaded before, and says what is in it. */
const program = (name: string) => `
import { createInterface } from 'node:readline';
import { called } from '#names';
console.log(called('${name}'));
for await (const _line of createInterface({ input: process.stdin })) console.log((await import('./later.js')).LATER);
`;

let tree: string;
const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), content);
};
const change = (name: string): void => {
  write(`${MAIN}.ts`, program(name));
  write('apps/api/src/later.ts', `export const LATER: string = 'loaded later by ${name}';\n`);
};
const started: ChildProcess[] = [];
beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), 'alcada-build-')));
  for (const ours of ['build', 'package.json', 'package-lock.json'])
    cpSync(ours, join(tree, ours), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  write('nest-cli.json', '{ "compilerOptions": { "assets": ["libs/names/src/*.css"] } }');
  write('libs/names/src/index.ts', "export const called = (name: string): string => 'I am ' + name;\n");
  write('libs/names/src/page.css', 'a {}\n');
  write('libs/names/src/names.spec.ts', 'export {};\n');
  write('test/support/of-tests.ts', 'export {};\n');
  change('one');
});
afterEach(async () => {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  rmSync(tree, { recursive: true, force: true, maxRetries: 3 });
});

const run = (...args: readonly string[]) => {
  const child = spawn(process.execPath, args, { cwd: tree, stdio: ['pipe', 'pipe', 'pipe'] });
  started.push(child);
  let [said, told] = ['', ''];
  child.stderr.on('data', (chunk) => (told += String(chunk)));
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, told }));
  /** Waits until it has said a line; that is an error of the test where it ends instead. */
  const hears = async (line: string): Promise<void> => {
    while (!said.includes(`${line}\n`))
      if ((await Promise.race([once(child.stdout, 'data'), ended.then(() => null)])) === null)
        throw new Error(`it ended, and did not say “${line}”:\n${said}${told}`);
  };
  return { child, ended, hears, told: () => told };
};
const start = () => run('build/run.js', `${MAIN}.js`);
const build = () => run('build/build.js').ended;
const builds = () => readdirSync(join(tree, 'builds')).filter((name) => !['running', 'stamps'].includes(name));
const ends = async ({ child, ended }: ReturnType<typeof start>) => {
  child.stdin.end();
  return ended;
};

describe('a start', () => {
  it('builds sources that are new, which it says in a line, and those of before not again', async () => {
    const first = start();
    await first.hears('I am one');
    const [name = ''] = builds();
    expect(await ends(first)).toEqual({ code: 0, told: `Building the program into builds/${name}\n` });
    const before = statSync(join(tree, 'builds', name));
    const second = start();
    await second.hears('I am one');
    expect(await ends(second)).toEqual({ code: 0, told: '' });
    expect([builds(), statSync(join(tree, 'builds', name))]).toEqual([[name], before]);
  });

  it('leaves alone what runs already: it finds what it loads later as it was when it began', async () => {
    const first = start();
    await first.hears('I am one');
    for (const name of ['two', 'three', 'four']) {
      change(name);
      const next = start();
      await next.hears(`I am ${name}`);
      await ends(next);
    }
    first.child.stdin.write('go on\n');
    await first.hears('loaded later by one');
    await ends(first);
    expect(builds()).toHaveLength(3); // the last two, and that of the first
    change('five');
    expect(await build()).toMatchObject({ code: 0 });
    expect(builds()).toHaveLength(2);
  });

  it('of sources that are again what they were builds nothing, and `dist` leads there', async () => {
    await build();
    const first = readlinkSync(join(tree, 'dist'));
    change('two');
    await build();
    change('one');
    const again = start();
    await again.hears('I am one');
    expect(await ends(again)).toEqual({ code: 0, told: '' });
    expect(readlinkSync(join(tree, 'dist'))).toBe(first);
  });

  it('notices a change that leaves the length and the time of a source as they were', async () => {
    const source = join(tree, `${MAIN}.ts`);
    /** Of what was just written nothing is remembered, and no program can set when that was. */
    const settled = () => setTimeout(1_100);
    const then = new Date('2026-01-15T12:00:00Z');
    utimesSync(source, then, then);
    await settled();
    await ends(start());
    expect(readdirSync(join(tree, 'builds/stamps'))).toEqual(['program']);
    write(`${MAIN}.ts`, program('two'));
    utimesSync(source, then, then);
    await settled();
    const second = start();
    await second.hears('I am two');
    await ends(second);
  });

  it('takes the place of the program: what it is told and how it ends are the program’s', async () => {
    write(`${MAIN}.ts`, 'console.log(process.argv.slice(1).join()); process.exitCode = 78;\n');
    const { ended, hears } = run('build/run.js', `${MAIN}.js`, '--version', 'x');
    expect(await ended).toMatchObject({ code: 78 });
    await hears(`${realpathSync(join(tree, 'dist', `${MAIN}.js`))},--version,x`);
  });
});

describe('a build', () => {
  it('is found at `dist`, also where a folder of former times is, with all that the program reads', async () => {
    write('dist/libs/former.js', 'export {};\n');
    await build();
    const dist = (path: string) => join(tree, 'dist', path);
    expect(existsSync(dist('libs/former.js'))).toBe(false);
    const fromDist = run('--enable-source-maps', `dist/${MAIN}.js`);
    await fromDist.hears('I am one');
    await ends(fromDist);
    expect(readFileSync(dist('libs/names/src/page.css'), 'utf8')).toBe('a {}\n');
    expect(existsSync(dist('libs/names/src/names.spec.js'))).toBe(false);
    expect(builds()).toHaveLength(1);
  });

  it('lets a stack trace name the source', async () => {
    write(`${MAIN}.ts`, 'type Told = string;\n\nconst told: Told = `no`;\nthrow new Error(told);\n');
    const { told } = await run('--enable-source-maps', 'build/run.js', `${MAIN}.js`).ended;
    expect(told).toContain(`${join(tree, MAIN)}.ts:4:7`);
  });

  it('that fails, or is killed, leaves nothing that is taken for one', async () => {
    await build();
    const [whole] = builds();
    write(`${MAIN}.ts`, 'const = ;\n');
    expect(await start().ended).toMatchObject({ code: 1 });
    for (let sources = 0; sources < 400; sources += 1)
      write(`libs/many/src/n${sources}.ts`, `export const n = ${sources};\n`);
    change('two');
    const killed = run('build/build.js');
    while (!builds().some((name) => name.startsWith('unfinished-'))) await setImmediate();
    killed.child.kill('SIGKILL');
    expect(await killed.ended).toMatchObject({ code: null });
    expect(builds().filter((name) => name.startsWith('program-'))).toEqual([whole]);
    expect(readlinkSync(join(tree, 'dist'))).toBe(`builds/${whole}`);
    const next = start();
    await next.hears('I am two');
    await ends(next);
    expect(builds().filter((name) => name.startsWith('unfinished-'))).toEqual([]);
  });

  it('does no harm to another one of the same sources, or of others, at the same time', async () => {
    const same = await Promise.all([build(), build(), build()]);
    expect(same.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(builds()).toHaveLength(1);
    const [program, tests] = await Promise.all([build(), run('build/build.js', 'tests').ended]);
    expect([program.code, tests.code]).toEqual([0, 0]);
    expect(readlinkSync(join(tree, 'dist'))).toMatch(/^builds\/program-/);
    expect(builds()).toHaveLength(2);
  });
});
