import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { EmbeddedDocuments } from '#documents';
import type { Position } from '#event-store';
import { Unavailable } from '#kernel';
import type { GrowingThreadData, Order, Outcome } from './growing.thread.js';
import type { Grown } from './stored-tiles.js';
import type { TreeGrowing } from './tree-builder.js';

const MODULE = new URL('./growing.thread.js', import.meta.url);

/** The tree could not be built on, in the thread that does; the next round tries again. */
class GrowingFailed extends Unavailable {
  override readonly name = 'GrowingFailed';
}

/** Builds the tree in the read models' writing thread, since hashing would hold up orders. Where it dies the process ends. */
export class GrowingInThread implements TreeGrowing {
  private port: MessagePort | null = null;

  constructor(
    private readonly store: EmbeddedDocuments,
    private readonly data: GrowingThreadData,
  ) {}

  async grow(markedAfter: Position): Promise<Grown> {
    const outcome = await this.ask({ markedAfter });
    if (outcome.grown) return outcome.grown;
    throw Object.assign(new GrowingFailed(outcome.error?.message), { stack: outcome.error?.stack });
  }

  async startOver(): Promise<void> {
    const { error } = await this.ask('startOver');
    if (error) throw Object.assign(new GrowingFailed(error.message), { stack: error.stack });
  }

  async stop(): Promise<void> {
    if (!this.port) return;
    const closed = once(this.port, 'close');
    this.port.postMessage('stop' satisfies Order);
    await closed;
  }

  private async ask(order: Order): Promise<Outcome> {
    this.port ??= this.store.begin(MODULE, this.data);
    const answer = once(this.port, 'message') as Promise<[Outcome]>;
    this.port.postMessage(order);
    return (await answer)[0];
  }
}
