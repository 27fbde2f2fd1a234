import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';

const GIGABYTE = 2 ** 30;

/** What every figure depends on: the machine, Node, what stands beneath the service, and the commit that is measured. */
export const machine = (): string => {
  const [cpu] = cpus();
  const memory = `${(totalmem() / GIGABYTE).toFixed(0)} GB`;
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const beneath = ['fastify', '@nestjs/core', 'libsql'].map((name) => `${name} ${dependencies[name]}`).join(', ');
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`,
    `${beneath}; commit ${commit()}`,
  ].join('; ');
};

/** The commit of this tree, with a star where files differ from it. */
const commit = (): string => {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '*'}`;
  } catch {
    return 'unknown';
  }
};
