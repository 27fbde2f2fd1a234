import { Injectable } from '@nestjs/common';
import { EventStore, type StoredEvent } from '#event-store';
import { mandateEvents } from '#events';
import { isId } from '#kernel';
import { type GrantedMandate, mandates } from '#mandate';
import { nodeCrypto } from '#transparency';
import { type Breach, MandateHistory, type MandateStep, StreamChain } from '#verifier';
import { type Place, Places } from '../story/places.js';

/** One event of a mandate: its number, the first being 1, what it made of the mandate, and where it lies. */
export interface NumberedStep {
  readonly number: number;
  readonly step: MandateStep;
  /** The step before it; null: it is the first. */
  readonly before: MandateStep | null;
  readonly previousHash: string | null;
  readonly place: Place;
}

export interface MandateReplayed {
  readonly mandateId: string;
  /** The traveller and the agent, as its first event names them. */
  readonly holder: string;
  readonly clientId: string;
  /** What was granted, or asked for; null: its events do not say so in a form that there is. */
  readonly terms: MandateTerms | null;
  readonly count: number;
  /** What is played: some events around the one asked for, or all. */
  readonly steps: readonly NumberedStep[];
  readonly now: NumberedStep;
  /** Cents over its whole life: what came back, and what counts against its ceiling since. */
  readonly sums: { readonly refunded: number; readonly consumed: number };
  /** What breaks its chain or its rules, wherever in its life. */
  readonly breaches: readonly Breach[];
}

/** The terms of a mandate: those of its request until it is created, and its end as it was brought nearer since. */
export type MandateTerms = Pick<GrantedMandate, 'scope' | 'constraints' | 'startsAt' | 'expiresAt' | 'grantedBy'> & {
  /** Whether nobody has granted it: it was asked for. */
  readonly isAsked: boolean;
};

/** So many events are played on one page; a mandate may have tens of thousands. */
export const STEPS_A_PAGE = 100;

interface Judged {
  readonly event: StoredEvent;
  readonly step: MandateStep;
}

/** Judges a stream by the verifier's rules as it is read; only the last page and the breaches are kept. */
@Injectable()
export class MandateReplays {
  constructor(
    private readonly events: EventStore,
    private readonly places: Places,
  ) {}

  /** A mandate up to its `number`-th event (undefined: the last); null: there is no such mandate, or event. */
  async of(mandateId: string, number: number | undefined): Promise<MandateReplayed | null> {
    if (!isId(mandateId)) return null;
    const stream = mandates.streamOf(mandateId);
    const chain = new StreamChain(nodeCrypto.sha256);
    const history = new MandateHistory(stream);
    const wanted = number === undefined ? Infinity : Math.floor((number - 1) / STEPS_A_PAGE);
    const breaches: Breach[] = [];
    let opening: Judged | null = null;
    let terms: MandateTerms | null = null;
    let before: Judged | null = null;
    let shown: Judged[] = [];
    let count = 0;
    for await (const event of this.events.readStream(stream)) {
      const broken = chain.next(event);
      const judged = { event, step: history.next(event) };
      breaches.push(...broken, ...judged.step.breaches);
      opening ??= judged;
      terms = termsAfter(terms, event);
      if (count / STEPS_A_PAGE < wanted + 1) {
        if (count % STEPS_A_PAGE === 0) {
          before = shown.at(-1) ?? null;
          shown = [];
        }
        shown.push(judged);
      }
      count += 1;
    }
    const steps = await this.numbered(shown, before, Math.min(wanted, Math.floor((count - 1) / STEPS_A_PAGE)));
    const now = steps.find((step) => step.number === (number ?? count));
    if (!now || !opening) return null;
    const { data } = opening.event;
    const [holder, clientId] = [textOf(data['holder']), textOf(data['clientId'])];
    const { refunded, consumed } = history.state;
    const sums = { refunded, consumed };
    return { mandateId, holder, clientId, terms, count, steps, now, sums, breaches };
  }

  private async numbered(
    shown: readonly Judged[],
    before: Judged | null,
    page: number,
  ): Promise<readonly NumberedStep[]> {
    const places = await this.places.of(shown.map(({ event }) => event));
    return shown.map(({ step }, at) => {
      const earlier = at === 0 ? before : (shown[at - 1] ?? null);
      return {
        number: page * STEPS_A_PAGE + at + 1,
        step,
        before: earlier?.step ?? null,
        previousHash: earlier?.event.metadata.hash ?? null,
        place: places[at] ?? null,
      };
    });
  }
}

/** What an event leaves of the terms; one that is of no form that there is changes nothing. */
const termsAfter = (terms: MandateTerms | null, { type, data }: StoredEvent): MandateTerms | null => {
  switch (type) {
    case 'MandateCreated': {
      const created = mandateEvents.MandateCreated.safeParse(data);
      return created.success ? { constraints: {}, ...created.data, isAsked: false } : terms;
    }
    case 'MandateRequested': {
      const asked = mandateEvents.MandateRequested.safeParse(data);
      if (!asked.success) return terms;
      const { requestedAt: startsAt, lapsesAt: expiresAt, ...more } = asked.data;
      return { constraints: {}, ...more, startsAt, expiresAt, grantedBy: 'traveller', isAsked: true };
    }
    case 'MandateNarrowed': {
      const narrowed = mandateEvents.MandateNarrowed.safeParse(data);
      return terms && narrowed.success ? { ...terms, expiresAt: narrowed.data.expiresAt } : terms;
    }
    default:
      return terms;
  }
};

/** A member of an event that may have been tampered with. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
