import { Injectable } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import { type GrantedMandate, type MandateListItem, mandatesProjection } from '#mandate';
import { type OrderListItem, ordersProjection, type PlacedOrder } from '#order';
import { decodeCursor, encodeCursor, type Projection, ReadModels } from '#read-models';
import { shortDayText } from '#site';
import { type Happening, happeningsProjection } from '../../happenings.projection.js';

/** How many are shown at once; whole days, where that leaves half of them. */
const SHOWN = 30;

/** Something that happened, with what it happened to as the lists have it. */
export type NamedHappening = Happening & { readonly clientId: string } & (
    { readonly order: PlacedOrder } | { readonly mandate: GrantedMandate }
  );

export interface HappeningsPage {
  readonly items: readonly NamedHappening[];
  /** Where the page before this one in time begins; null: nothing happened before. */
  readonly nextCursor: string | null;
  /** Whether its last day goes on there. */
  readonly isWithinDay: boolean;
}

/** What happened for a traveller, the newest first. */
@Injectable()
export class Happenings {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError `invalid_cursor` for what is no cursor of this traveller's */
  async of(holder: string, cursor?: string): Promise<HappeningsPage> {
    const list = { happenedFor: holder };
    const found = await this.store.find<Happening>(await this.readModels.upToDate(happeningsProjection), {
      where: [{ field: 'holder', equals: holder }],
      sort: { field: 'at', direction: 'descending' },
      limit: SHOWN + 1,
      ...(cursor !== undefined && { after: decodeCursor(list, cursor) }),
    });
    const days = found.map(({ body }) => shortDayText(body.at));
    const endsDay = (at: number): boolean => days[at] !== days[at - 1];
    const end = found.length > SHOWN ? (ends(SHOWN).find(endsDay) ?? SHOWN) : found.length;
    const last = found.length > SHOWN ? found[end - 1] : undefined;
    return {
      items: await this.withSubjects(found.slice(0, end).map(({ body }) => body)),
      nextCursor: last ? encodeCursor(list, { value: last.body.at, id: last.id }) : null,
      isWithinDay: last !== undefined && !endsDay(end),
    };
  }

  private async withSubjects(happenings: readonly Happening[]): Promise<readonly NamedHappening[]> {
    const of = (kind: 'Order' | 'Mandate') =>
      happenings.filter(({ type }) => type.startsWith(kind)).map(({ subject }) => subject);
    const [orders, mandates] = await Promise.all([
      this.byId<OrderListItem>(ordersProjection, of('Order')),
      this.byId<MandateListItem>(mandatesProjection, of('Mandate')),
    ]);
    return happenings.flatMap((happening) => {
      const { clientId, subject } = happening;
      const [order, mandate] = [orders.get(subject), mandates.get(subject)];
      if (clientId === null) return [];
      if (order) return { ...happening, clientId, order };
      return mandate ? { ...happening, clientId, mandate } : [];
    });
  }

  private async byId<Body>(projection: Projection<object>, ids: readonly string[]): Promise<ReadonlyMap<string, Body>> {
    if (ids.length === 0) return new Map();
    const found = await this.store.getMany<Body>(await this.readModels.upToDate(projection), [...new Set(ids)]);
    return new Map(found.map(({ id, body }) => [id, body]));
  }
}

/** Where a page of at most so many may end, the longest first and none of less than half. */
const ends = (most: number): readonly number[] => Array.from({ length: most / 2 + 1 }, (_, less) => most - less);
