import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FixedClock } from '#testing';
import { EmbeddedDocuments } from './documents.embedded.js';
import { SealBroken } from './seal.js';
import { SECRETS, storedSecret } from './stored-secret.js';

const KEY = randomBytes(32);

let folder: string;
let documents: EmbeddedDocuments;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const options = { file: join(folder, 'documents.db'), durability: 'normal', clock: new FixedClock() } as const;
  documents = await EmbeddedDocuments.open(options);
  await documents.prepare(SECRETS);
});
afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true });
});

/** All bytes of all files of the store. */
const bytes = (): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join('\n');
const told = async (): Promise<string> => JSON.stringify((await documents.get(SECRETS.name, 'one'))?.body);

describe('a secret of the service', () => {
  it('is 32 random bytes, the same for whoever asks, another by another name', async () => {
    const [one, again] = await Promise.all([
      storedSecret(documents, 'one', null),
      storedSecret(documents, 'one', null),
    ]);
    expect(one).toHaveLength(32);
    expect(again).toEqual(one);
    expect(await storedSecret(documents, 'two', null)).not.toEqual(one);
  });

  it('never lies in the store in clear where there is a key to encrypt it', async () => {
    const secret = await storedSecret(documents, 'one', KEY);
    expect(bytes()).toContain('aes-256-gcm');
    expect(bytes()).not.toContain(secret.toString('base64'));
    expect(await storedSecret(documents, 'one', KEY)).toEqual(secret);
  });

  it.each([
    ['without a key', () => storedSecret(documents, 'one', null)],
    [
      'by an earlier release',
      () => documents.insert(SECRETS.name, 'one', { base64: randomBytes(32).toString('base64') }),
    ],
  ])('stored in clear %s stays the same, and is encrypted once there is a key', async (_, store) => {
    await store();
    const secret = await storedSecret(documents, 'one', null);
    expect(await told()).toContain(secret.toString('base64'));
    const both = [storedSecret(documents, 'one', KEY), storedSecret(documents, 'one', KEY)];
    expect(await Promise.all(both)).toEqual([secret, secret]);
    expect(await told()).not.toContain(secret.toString('base64'));
    expect(await storedSecret(documents, 'one', KEY)).toEqual(secret);
  });

  it('opens with no other key and not without one, and cannot stand in for another', async () => {
    await storedSecret(documents, 'one', KEY);
    await expect(storedSecret(documents, 'one', null)).rejects.toThrow(SealBroken);
    await expect(storedSecret(documents, 'one', randomBytes(32))).rejects.toThrow(SealBroken);
    const one = await documents.get<object>(SECRETS.name, 'one');
    await documents.insert(SECRETS.name, 'two', one?.body ?? {});
    await expect(storedSecret(documents, 'two', KEY)).rejects.toThrow(SealBroken);
  });
});
