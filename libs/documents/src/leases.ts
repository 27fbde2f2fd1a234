import { type Clock, plus } from '#kernel';
import { type Documents, DuplicateDocument } from './documents.port.js';
import type { CollectionSpec } from './query.js';

/** Who does work that one process at a time should do. */
export const LEASES: CollectionSpec = { name: 'leases', indexes: [] };

/**
 * Leases by name, each held by one owner until it ends. They only save work: what is done under one is correct without
 * it too, since a paused owner never notices that its lease has ended.
 */
export class Leases {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly owner: string,
  ) {}

  /** Takes or prolongs a lease for `milliseconds`; answers whether this owner holds it. */
  async hold(name: string, milliseconds: number): Promise<boolean> {
    const now = this.clock.now();
    const body = { owner: this.owner };
    const expiresAt = plus(now, milliseconds);
    const held = await this.documents.get<{ readonly owner: string }>(LEASES.name, name);
    if (held) {
      return (
        held.body.owner === this.owner && this.documents.replace(LEASES.name, name, held.version, body, { expiresAt })
      );
    }
    try {
      await this.documents.insert(LEASES.name, name, body, { expiresAt });
      return true;
    } catch (error) {
      if (error instanceof DuplicateDocument) return false;
      throw error;
    }
  }

  /** Whether anybody holds a lease. */
  async isHeld(name: string): Promise<boolean> {
    return (await this.documents.get(LEASES.name, name)) !== null;
  }

  /** Gives a lease back, so that another owner need not wait for its end. */
  async release(name: string): Promise<void> {
    const held = await this.documents.get<{ readonly owner: string }>(LEASES.name, name);
    if (held?.body.owner === this.owner) await this.documents.delete(LEASES.name, name, held.version);
  }
}
