import { Injectable } from '@nestjs/common';
import { exportBundle, type Integrity, integrityOf, NothingToExport } from '#audit';
import { EventStore } from '#event-store';
import { NotSealed, TransparencyLog } from '#transparency';
import type { About } from '#verifier';

/** The recorded history of what a traveller looks at: whether it is intact, and all of it as a bundle. */
@Injectable()
export class Histories {
  constructor(
    readonly events: EventStore,
    readonly log: TransparencyLog,
  ) {}

  integrityOf(stream: string): Promise<Integrity> {
    return integrityOf(stream, this);
  }

  /** The text of a bundle. @throws NotSealed */
  async bundle(about: About): Promise<string> {
    try {
      const { lines } = await exportBundle(about, this);
      let text = '';
      for await (const line of lines) text += line;
      return text;
    } catch (error) {
      throw error instanceof NothingToExport ? new NotSealed(error.message) : error;
    }
  }
}
