import { TLOG_HEAD, TLOG_TILES } from '#transparency';
import { LEDGER } from '#checkout';
import type { Answer, Bodies, End, Moment, TreeHead } from './end.js';
import type { Simulation } from './simulation.js';
import { PROJECTIONS, PSEUDONYMS, type SimulatedStores } from './stores.js';

/** Watches what a life writes, as it is written: when each event came, each capture, each head of the log of logs. */
export class Watch {
  private readonly written: Moment[];
  private readonly captures: { readonly orderId: string; readonly at: Moment }[] = [];
  private readonly heads: TreeHead[] = [];

  constructor(
    private readonly stores: SimulatedStores,
    simulation: Simulation,
  ) {
    this.written = stores.events.all.map(() => 0);
    const now = (): Moment => simulation.scheduler.length;
    stores.events.onWritten = ({ stream, type }) => {
      this.written.push(now());
      simulation.tell(() => `  log: ${stream} ${type}`);
    };
    stores.documents.onWritten = (name, orderId, body) => {
      if (name === LEDGER.name && 'status' in body)
        simulation.tell(() => `  ledger: ${orderId} ${String(body.status)}`);
      if (name === LEDGER.name && 'status' in body && body.status === 'captured')
        this.captures.push({ orderId, at: now() });
      if (name === TLOG_HEAD.name) this.heads.push(body as TreeHead);
    };
  }

  get isSealed(): boolean {
    return this.heads.length > 0;
  }

  end(answers: readonly Answer[]): End {
    const { events, documents, readModelStore, readModels, clock } = this.stores;
    const { heads, written, captures } = this;
    return {
      log: events.all,
      written,
      captures,
      documents: new Map(documents.names().map((name): [string, Bodies] => [name, documents.bodies(name)])),
      readModels: new Map(
        PROJECTIONS.map((projection): [string, Bodies] => [
          projection.name,
          readModelStore.bodies(readModels.collectionOf(projection)),
        ]),
      ),
      answers,
      transparency:
        heads.length === 0
          ? null
          : {
              heads,
              tiles: readModelStore.bodies(TLOG_TILES.name),
              keyOf: (stream) => PSEUDONYMS.keyOf(stream),
            },
      now: clock.now(),
    };
  }
}
