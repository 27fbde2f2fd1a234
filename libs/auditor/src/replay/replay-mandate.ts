import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventStore, type StoredEvent } from '#event-store';
import { isId } from '#kernel';
import { mandates } from '#mandate';
import { nodeCrypto } from '#transparency';
import { type Breach, chainBreaches, type MandateStep, replayMandate } from '#verifier';
import { type Place, Places } from '../story/places.js';
import { allOf } from '../story/read-story.js';

/** One event of a mandate: its number, the first being 1, what it made of the mandate, and where it lies. */
export interface NumberedStep {
  readonly number: number;
  readonly step: MandateStep;
  /** The step before it; null: it is the first. */
  readonly before: MandateStep | null;
  /** The hash of the event before it. */
  readonly previousHash: string | null;
  readonly place: Place;
}

/** A mandate's life around one of its events. */
export interface MandateReplayed {
  readonly mandateId: string;
  /** The traveller and the agent, as its first event names them. */
  readonly holder: string;
  readonly clientId: string;
  readonly count: number;
  /** What is played: some events around the one asked for, or all. */
  readonly steps: readonly NumberedStep[];
  readonly now: NumberedStep;
  /** What breaks its chain or its rules, wherever in its life. */
  readonly breaches: readonly Breach[];
}

/** Replays a mandate, up to its `number`-th event (undefined: the last); null: there is no such mandate, or event. */
export class ReplayMandate extends Query<MandateReplayed | null> {
  constructor(
    readonly mandateId: string,
    readonly number: number | undefined,
  ) {
    super();
  }
}

/** So many events are played on one page; a mandate may have tens of thousands. */
export const STEPS_A_PAGE = 100;

/** Judges the stream by the verifier's rules, which are not those that wrote it. */
@QueryHandler(ReplayMandate)
export class ReplayMandateHandler implements IQueryHandler<ReplayMandate> {
  constructor(
    private readonly events: EventStore,
    private readonly places: Places,
  ) {}

  async execute({ mandateId, number }: ReplayMandate): Promise<MandateReplayed | null> {
    if (!isId(mandateId)) return null;
    const stream = mandates.streamOf(mandateId);
    const events = await allOf(this.events.readStream(stream));
    const { steps, breaches } = replayMandate(stream, events);
    const at = number === undefined ? events.length - 1 : number - 1;
    const first = Math.floor(at / STEPS_A_PAGE) * STEPS_A_PAGE;
    const shown = await this.numbered(steps, events, first);
    const now = shown[at - first];
    if (!now) return null;
    const { data } = now.step.event;
    const opening = steps[0]?.event.data ?? data;
    return {
      mandateId,
      holder: textOf(opening['holder']),
      clientId: textOf(opening['clientId']),
      count: events.length,
      steps: shown,
      now,
      breaches: [...chainBreaches(nodeCrypto.sha256, events), ...breaches],
    };
  }

  private async numbered(
    steps: readonly MandateStep[],
    events: readonly StoredEvent[],
    first: number,
  ): Promise<readonly NumberedStep[]> {
    const places = await this.places.of(events.slice(first, first + STEPS_A_PAGE));
    return places.flatMap((place, offset) => {
      const index = first + offset;
      const step = steps[index];
      const before = steps[index - 1] ?? null;
      const previousHash = before?.event.metadata.hash ?? null;
      return step ? [{ number: index + 1, step, before, previousHash, place }] : [];
    });
  }
}

/** A member of an event that may have been tampered with. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
