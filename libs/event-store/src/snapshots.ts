import { createHmac, timingSafeEqual } from 'node:crypto';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import { type Clock, nextTurn, plus, within } from '#kernel';
import { z } from 'zod';
import type { Folded } from './command-batch.js';

/** Snapshots by the name of their stream. They can be deleted at any time, one by one or all of them. */
export const SNAPSHOTS: CollectionSpec = { name: 'snapshots', indexes: [] };

/** How many events of a stream lie between two snapshots, and how many a load reads before it leaves one. */
export const SNAPSHOT_EVERY = 1_000;

/** How long (ms) a snapshot is kept: thirty days. A stream that is still written to has had a newer one by then, or does without. */
const LIFETIME = 30 * 86_400_000;

/** How long (ms) a load waits for a snapshot; without one it reads more. */
const PATIENCE = 250;

const storedSnapshot = z.object({
  version: z.int(),
  revision: z.int(),
  /** Of the event at that revision. */
  hash: z.string(),
  occurredAt: z.string(),
  /** The state, as JSON. */
  state: z.string(),
  /** HMAC-SHA256 over all of the above and the stream's name. */
  mac: z.string(),
});
type StoredSnapshot = z.infer<typeof storedSnapshot>;

/** States of long streams (rule 15): a cache in documents, whose keyed hash lets nobody raise a ceiling here. */
export class Snapshots {
  private readonly stored: Collection<StoredSnapshot>;
  private readonly writing = new Set<string>();

  /** `key`: of the HMAC. `onError` gets each failure to read or write one. */
  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly key: Uint8Array,
    private readonly onError: (stream: string, error: unknown) => void,
  ) {
    this.stored = new Collection(documents, SNAPSHOTS, storedSnapshot);
  }

  /** The stream at its last snapshot, or null. The caller looks for that event in it: it may be of another log. */
  async find<State>(stream: string, version: number): Promise<Folded<State> | null> {
    try {
      const found = await within(this.clock, PATIENCE, this.stored.get(stream), () => null);
      if (found?.body.version !== version) return null;
      const { mac, ...content } = found.body;
      const isOurs = timingSafeEqual(this.macOf(stream, content), Buffer.from(mac.padEnd(64, '0').slice(0, 64), 'hex'));
      if (!isOurs) throw new Error('the snapshot was not written with this key');
      const { revision, hash, occurredAt } = content;
      // JSON in this version, with this key, is what this program wrote.
      return { state: JSON.parse(content.state) as State, revision, hash, occurredAt };
    } catch (error) {
      this.onError(stream, error);
      return null;
    }
  }

  /** Writes a snapshot once everything else that is ready has run; none while another one of this stream is being written. */
  write(stream: string, version: number, folded: Folded<unknown>): void {
    if (this.writing.has(stream)) return;
    this.writing.add(stream);
    this.replace(stream, version, folded)
      .catch((error: unknown) => this.onError(stream, error))
      .finally(() => this.writing.delete(stream));
  }

  private async replace(
    stream: string,
    version: number,
    { state, revision, hash, occurredAt }: Folded<unknown>,
  ): Promise<void> {
    await nextTurn();
    const content = { version, revision, hash, occurredAt, state: JSON.stringify(state) };
    const body = { ...content, mac: this.macOf(stream, content).toString('hex') };
    // Whatever was there: it may be of another log, and an older one of two processes only costs a few events more.
    await this.stored.update(stream, () => body, { expiresAt: plus(this.clock.now(), LIFETIME) });
  }

  private macOf(stream: string, content: Omit<StoredSnapshot, 'mac'>): Buffer {
    const { version, revision, hash, occurredAt, state } = content;
    const covered = JSON.stringify([stream, version, revision, hash, occurredAt, state]);
    return createHmac('sha256', this.key).update(covered).digest();
  }
}
