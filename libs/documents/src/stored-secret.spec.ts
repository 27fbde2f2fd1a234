import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FixedClock, ownFolders } from '#testing';
import { EmbeddedDocuments } from './documents.embedded.js';
import { SealBroken } from './seal.js';
import { SECRETS, storedSecret } from './stored-secret.js';

const newFolder = ownFolders();
const KEY = randomBytes(32);

let folder: string;
let documents: EmbeddedDocuments;
beforeEach(async () => {
  folder = newFolder();
  const options = { file: join(folder, 'documents.db'), durability: 'normal', clock: new FixedClock() } as const;
  documents = await EmbeddedDocuments.open(options);
  await documents.prepare(SECRETS);
});
afterEach(() => documents.close());

const bytes = (): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('\n');
const told = async (): Promise<string> => JSON.stringify((await documents.get(SECRETS.name, 'idempotency'))?.body);

describe('a secret of the service', () => {
  it('is 32 random bytes, the same for whoever asks, another by another name', async () => {
    const [one, again] = await Promise.all([
      storedSecret(documents, 'idempotency', []),
      storedSecret(documents, 'idempotency', []),
    ]);
    expect(one).toHaveLength(32);
    expect(again).toEqual(one);
    expect(await storedSecret(documents, 'traffic', [])).not.toEqual(one);
  });

  it('never lies in the store in clear where there is a key to encrypt it', async () => {
    const secret = await storedSecret(documents, 'idempotency', [KEY]);
    expect(bytes()).toContain('aes-256-gcm');
    expect(bytes()).not.toContain(secret.toString('base64'));
    expect(await storedSecret(documents, 'idempotency', [KEY])).toEqual(secret);
  });

  it.each([
    ['without a key', () => storedSecret(documents, 'idempotency', [])],
    [
      'by an earlier release',
      () => documents.insert(SECRETS.name, 'idempotency', { base64: randomBytes(32).toString('base64') }),
    ],
  ])('stored in clear %s stays the same, and is encrypted once there is a key', async (_, store) => {
    await store();
    const secret = await storedSecret(documents, 'idempotency', []);
    expect(await told()).toContain(secret.toString('base64'));
    const both = [storedSecret(documents, 'idempotency', [KEY]), storedSecret(documents, 'idempotency', [KEY])];
    expect(await Promise.all(both)).toEqual([secret, secret]);
    expect(await told()).not.toContain(secret.toString('base64'));
    expect(await storedSecret(documents, 'idempotency', [KEY])).toEqual(secret);
  });

  it('opens with no other key and not without one, and cannot stand in for another', async () => {
    await storedSecret(documents, 'idempotency', [KEY]);
    await expect(storedSecret(documents, 'idempotency', [])).rejects.toThrow(SealBroken);
    await expect(storedSecret(documents, 'idempotency', [randomBytes(32)])).rejects.toThrow(SealBroken);
    const one = await documents.get<object>(SECRETS.name, 'idempotency');
    await documents.insert(SECRETS.name, 'traffic', one?.body ?? {});
    await expect(storedSecret(documents, 'traffic', [KEY])).rejects.toThrow(SealBroken);
  });
});
