import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Documents, DuplicateDocument } from './documents.port.js';
import type { CollectionSpec } from './query.js';

/** Random secrets of the service's own, made once and shared by all its processes. */
export const SECRETS: CollectionSpec = { name: 'secrets', indexes: [] };

const stored = z.object({ base64: z.string() });

/** The secret with this name, 32 bytes; whoever asks first makes it. */
export const storedSecret = async (documents: Documents, name: string): Promise<Buffer> => {
  const known = await documents.get(SECRETS.name, name);
  if (known) return Buffer.from(stored.parse(known.body).base64, 'base64');
  try {
    await documents.insert(SECRETS.name, name, { base64: randomBytes(32).toString('base64') });
  } catch (error) {
    if (!(error instanceof DuplicateDocument)) throw error;
  }
  return storedSecret(documents, name);
};
