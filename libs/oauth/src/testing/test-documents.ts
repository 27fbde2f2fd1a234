import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '#documents';
import { FixedClock } from '#testing';

/** An embedded document store in a folder of its own. */
export const openTestDocuments = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  const clock = new FixedClock();
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  const close = async (): Promise<void> => {
    await documents.close();
    rmSync(folder, { recursive: true });
  };
  return { documents, clock, close };
};
