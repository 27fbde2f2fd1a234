import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, runService, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it looks at the files of a folder');

let folder: string;
let umask: number;
beforeEach(async () => {
  folder = await newFolder();
  umask = process.umask(0); // whoever starts the program may have the widest one
});
afterEach(async () => {
  process.umask(umask);
  await removeFolder(folder);
});

/** What others may do with each file of the folder, and with the folder. */
const openToOthers = async (): Promise<readonly string[]> => {
  const open: string[] = [];
  for (const path of [folder, ...(await readdir(folder)).map((name) => join(folder, name))]) {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`);
  }
  return open;
};

describe('the data of a service', () => {
  it('are for their owner alone where a command makes them, and again where a service finds them open to all', async () => {
    expect(await runCommand(['keys', 'rotate'], { DATA_DIR: folder }).ended).toMatchObject({ code: 0 });
    expect(await openToOthers()).toEqual([]);
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);
    await chmod(folder, 0o755);
    const service = await startProcess(folder);
    expect(await readdir(folder)).toContain('documents.db-wal');
    expect(await openToOthers()).toEqual([]);
    await service.end('SIGTERM');
    expect(await openToOthers()).toEqual([]);
  });

  it('warn in a wide folder that others use too, and start in none in production', async () => {
    await writeFile(join(folder, 'alheio.txt'), 'of somebody else');
    await chmod(folder, 0o755);
    const message = `${folder} is open to other users`;
    const service = await startProcess(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    await service.end('SIGTERM');
    expect(service.stdout()).toContain(message);
    const refused = runService({
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: folder,
      DEMO_TRAVELLERS: '',
      KEY_ENCRYPTION_KEY: 'a1'.repeat(32),
      PILOT_CLIENT_SECRET: 'a-secret-of-nobody-'.repeat(3),
      TRUST_PROXY: 'none',
    });
    expect(await refused.ended).toMatchObject({ code: 78 });
    expect(refused.stderr()).toContain(message);
  });
});
