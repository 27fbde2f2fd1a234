import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alcada } from '../support/alcada.js';
import { ServiceOnFiles } from '../support/service-under-test.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('servers are shared, and have no folder');

const tested = new ServiceOnFiles();

const written = async (on: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await alcada(on, [...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};

describe('the data folder of a running server', () => {
  it('is read by every command that only lists', async () => {
    expect(JSON.parse(await written(tested.folder, 'client', 'list'))).toContainEqual(
      expect.objectContaining({ isPilot: true }),
    );
    expect(JSON.parse(await written(tested.folder, 'traveller', 'list'))).toHaveLength(3);
    await fetch(`${tested.origin}/oauth/jwks`); // the first key is made when somebody asks for it
    expect(JSON.parse(await written(tested.folder, 'keys', 'list'))).toMatchObject([{ state: 'signs' }]);
    expect(JSON.parse(await written(tested.folder, 'rebuild', 'list'))).toContainEqual(
      expect.objectContaining({ projection: 'orders', building: null }),
    );
  });

  it('is written by no command itself: what the server does not do for it waits, and the server goes on', async () => {
    await expect(written(tested.folder, 'keys', 'rotate')).rejects.toThrow(
      /another process holds it\nIf a server runs on .* first\./,
    );
    await expect(written(tested.folder, 'erase', '--holder', crypto.randomUUID())).rejects.toThrow(
      'another process holds it',
    );
    await expect(written(tested.folder, 'client', 'remove', 'nenhum')).rejects.toThrow('there is no client nenhum');
    expect((await fetch(`${tested.origin}/api/v1/health/ready`)).status).toBe(200);
  });
});

describe('a data folder that cannot be made', () => {
  it('ends a command with one line, whatever stands in the way', async () => {
    const file = join(tested.folder, 'arquivo');
    await writeFile(file, 'no folder');
    for (const DATA_DIR of [join(file, 'dados'), '/proc/alcada/dados', join(tested.folder, 'a'.repeat(300))]) {
      const ended = await alcada(tested.folder, ['keys', 'rotate'], { environment: { DATA_DIR } });
      expect(ended).toMatchObject({ code: 78, stdout: '' });
      expect(ended.stderr).toContain(`${join(DATA_DIR, 'events.db')} cannot be opened for writing: `);
      expect(ended.stderr).toMatch(
        /: (?:a part of its path is a file|it is not there|its path is too long) \(E[A-Z]+\)\. Is DATA_DIR/,
      );
      expect(ended.stderr).not.toContain('    at ');
    }
  });
});

describe('a data folder that is not there', () => {
  it('has nothing that a command could list, and is not made', async () => {
    const DATA_DIR = join(tested.folder, 'dadso');
    const message = `there is no data in ${DATA_DIR}: is DATA_DIR right?`;
    expect(await alcada(tested.folder, ['client', 'list'], { environment: { DATA_DIR } })).toEqual({
      code: 78,
      stdout: '',
      stderr: `alcada client: ${message}\n`,
    });
    for (const kind of ['client', 'traveller', 'keys', 'rebuild']) {
      await expect(written(DATA_DIR, kind, 'list')).rejects.toThrow(message);
    }
    await expect(access(DATA_DIR)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
