import type { EventStore, StoredEvent } from '#event-store';
import type { Clock } from '#kernel';
import { nodeCrypto } from '#transparency';
import {
  type AuditedEvent,
  type Breach,
  CHAIN_START,
  expectedHash,
  hashBytes,
  hex,
  MandateHistory,
  type MandateStep,
  statusAt,
} from '#verifier';

/** Replays a mandate event by event, and checks its chain. */
export class MandateStory {
  private readonly history: MandateHistory;
  private previous = CHAIN_START;
  private next = 0;

  constructor(readonly mandateId: string) {
    this.history = new MandateHistory(`mandate-${mandateId}`);
  }

  get terms() {
    const { holder, clientId, expiresAt, constraints } = this.history.state;
    return { holder, clientId, expiresAt, constraints };
  }

  standing(at: string) {
    const { state } = this.history;
    const { limit, consumed, refunded, reserved } = state;
    return {
      status: statusAt(state, at),
      limit,
      charged: consumed + refunded,
      refunded,
      consumed,
      reserved,
      remaining: limit.amount - consumed - reserved,
    };
  }

  add({ stream, revision, type, data, metadata: { ...metadata } }: StoredEvent): MandateStep {
    const event: AuditedEvent = { stream, revision, type, data, metadata };
    const broken: Breach[] = [];
    const breach = (rule: string, message: string) => broken.push({ rule, stream, revision, message });
    if (revision !== this.next) breach('revision', `revision ${revision} stands where ${this.next} belongs`);
    else if (hex(expectedHash(nodeCrypto.sha256, this.previous, event)) !== metadata.hash)
      breach('chain', 'its hash is not that of its content after the event before it');
    this.next = revision + 1;
    this.previous = hashBytes(metadata.hash) ?? CHAIN_START;
    const step = this.history.next(event);
    return broken.length === 0 ? step : { ...step, breaches: [...broken, ...step.breaches] };
  }
}

/** How far a mandate is read: to its end, up to a time (included), or up to a revision (included). */
export type UpTo = { readonly time: string } | { readonly revision: number } | null;

export async function* mandateSteps(
  story: MandateStory,
  events: EventStore,
  upTo: UpTo = null,
): AsyncGenerator<MandateStep> {
  for await (const event of events.readStream(`mandate-${story.mandateId}`)) {
    if (upTo && ('time' in upTo ? event.metadata.occurredAt > upTo.time : event.revision > upTo.revision)) return;
    yield story.add(event);
  }
}

/** How often (ms) is looked for what is new. */
const LOOK = 500;

const isOver = ({ status, reserved }: MandateStep): boolean =>
  ['revoked', 'expired', 'abandoned'].includes(status) && reserved === 0;

/** The steps of a mandate and then those to come, until it is over or `signal` ends it. */
export async function* followMandate(
  story: MandateStory,
  { events, clock }: { readonly events: EventStore; readonly clock: Clock },
  signal: AbortSignal,
): AsyncGenerator<MandateStep> {
  let last: MandateStep | null = null;
  while (!signal.aborted) {
    for await (const event of events.readStream(`mandate-${story.mandateId}`, last ? last.event.revision + 1 : 0)) {
      last = story.add(event);
      yield last;
    }
    if (!last || isOver(last)) return;
    await clock.sleep(LOOK, signal);
  }
}
