import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '#event-store';
import { nodeCrypto, NotSealed, TransparencyLog } from '#transparency';
import { leafHash, verifyInclusion } from '#verifier';

/** Where an event lies in the log of logs; null: it is not sealed yet. */
export type Place = SealedPlace | null;

interface SealedPlace {
  readonly index: number;
  /** How many entries the checkpoint covers that its proof leads to. */
  readonly size: number;
  /** Whether that proof holds: computed now, from the tiles. `waiting`: they are being built. */
  readonly proof: 'holds' | 'fails' | 'waiting';
}

/** Finds the places of events in the log of logs, and proves them. */
@Injectable()
export class Places {
  constructor(private readonly log: TransparencyLog) {}

  /** The places of these events, which are in the order of the log. */
  async of(events: readonly StoredEvent[]): Promise<readonly Place[]> {
    const { log } = this;
    const sealed = await log.sealed();
    if (!sealed) return events.map(() => null);
    const indexes = await log.indexesOf(events.map(({ position }) => position));
    const prove = log.inclusions(sealed.size);
    const placeOf = async (event: StoredEvent, index: number | null): Promise<Place> => {
      const { size } = sealed;
      if (index === null || index >= size) return null;
      try {
        const { root } = sealed;
        const leaf = leafHash(nodeCrypto.sha256, log.entryOf(event, sealed));
        const proof = await prove(index);
        const holds = verifyInclusion(nodeCrypto.sha256, { index, size, root, leaf, proof });
        return { index, size, proof: holds ? 'holds' : 'fails' };
      } catch (error) {
        if (!(error instanceof NotSealed)) throw error;
        return { index, size, proof: 'waiting' };
      }
    };
    return Promise.all(events.map((event, at) => placeOf(event, indexes[at] ?? null)));
  }
}
