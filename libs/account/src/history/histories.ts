import { Injectable } from '@nestjs/common';
import { exportBundle, Integrities, type Integrity, NothingToExport } from '#audit';
import { EventStore } from '#event-store';
import { ConcurrencyLimit } from '#http';
import { NotSealed, TransparencyLog } from '#transparency';
import type { About } from '#verifier';

/** A bundle has a line for each event of its streams, and there may be tens of thousands: megabytes, one bundle at a time. */
const BOUNDS = { running: 1, waiting: 16, perCaller: 2 };

/** The recorded history of what a traveller looks at: whether it is intact, and all of it as a bundle. */
@Injectable()
export class Histories {
  private readonly limit = new ConcurrencyLimit(BOUNDS);
  private readonly integrities = new Integrities(this);

  constructor(
    readonly events: EventStore,
    readonly log: TransparencyLog,
  ) {}

  integrityOf(stream: string): Promise<Integrity> {
    return this.integrities.of(stream);
  }

  /** The text of a bundle, for a holder. @throws NotSealed; Overloaded where too many wait for theirs */
  bundle(about: About, holder: string): Promise<string> {
    return this.limit.run(holder, () => this.textOf(about));
  }

  private async textOf(about: About): Promise<string> {
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
