import {
  type CollectionSpec,
  type Document,
  DuplicateDocument,
  type Filter,
  type GuardedDocument,
  type GuardedWrite,
  type Query,
  ReadModelStore,
  TOMBSTONE_LIFETIME,
} from '../index.js';
import { type Clock, type Instant, plus } from '#kernel';
import { checkFilter, checkQuery, checkSpec, type Fields, inOrderOf, matches, valueOf } from './memory-query.js';

interface Kept {
  readonly id: string;
  readonly version: number;
  /** null: a tombstone. */
  readonly body: Fields | null;
  readonly expiresAt: Instant | null;
  readonly position: string | null;
}

interface Collection {
  spec: CollectionSpec;
  readonly kept: Map<string, Kept>;
}

/** Documents in memory, for thousands of short lives: they pass the contract of the real ones. */
export class MemoryDocuments extends ReadModelStore {
  /** Hears of every body that is written. */
  onWritten: (name: string, id: string, body: object) => void = () => undefined;
  private readonly stored = new Map<string, Collection>();

  constructor(private readonly clock: Clock) {
    super();
  }

  copy(clock = this.clock): MemoryDocuments {
    const copy = new MemoryDocuments(clock);
    copy.becomeAs(this);
    return copy;
  }

  becomeAs({ stored }: MemoryDocuments): void {
    this.stored.clear();
    for (const [name, { spec, kept }] of stored) this.stored.set(name, { spec, kept: new Map(kept) });
  }

  names(): readonly string[] {
    return [...this.stored.keys()];
  }

  empty(name: string): void {
    this.collection(name).kept.clear();
  }

  /** One body; null where there is none, or it has expired. */
  body(name: string, id: string): Fields | null {
    return this.live(this.collection(name).kept.get(id))?.body ?? null;
  }

  /** What a collection has, by id, of what has not expired. */
  bodies<Body>(name: string): ReadonlyMap<string, Body> {
    return new Map(this.matching(name, { where: [] }).map(({ id, body }) => [id, body as Body]));
  }

  prepare(spec: CollectionSpec): Promise<void> {
    return soon(() => {
      checkSpec(spec);
      const known = this.stored.get(spec.name);
      if (known) known.spec = spec;
      else this.stored.set(spec.name, { spec, kept: new Map() });
    });
  }

  insert(name: string, id: string, body: object, options: { readonly expiresAt?: Instant } = {}): Promise<void> {
    return soon(() => {
      const { spec, kept } = this.collection(name);
      if (this.live(kept.get(id))) throw new DuplicateDocument(`${name} has a document ${id}`);
      const next = { id, version: 1, body: copyOf(body), expiresAt: options.expiresAt ?? null, position: null };
      this.checkUnique(spec, kept, next);
      kept.set(id, next);
      this.onWritten(name, id, body);
    });
  }

  get<Body>(name: string, id: string): Promise<Document<Body> | null> {
    return soon(() => {
      const found = this.live(this.collection(name).kept.get(id));
      return found?.body ? documentOf<Body>({ ...found, body: found.body }) : null;
    });
  }

  getMany<Body>(name: string, ids: readonly string[]): Promise<readonly Document<Body>[]> {
    return soon(() =>
      this.matching(name, { where: [] })
        .filter(({ id }) => ids.includes(id))
        .map(documentOf<Body>),
    );
  }

  replace(
    name: string,
    id: string,
    version: number,
    body: object,
    options: { readonly expiresAt?: Instant | null } = {},
  ): Promise<boolean> {
    return soon(() => {
      const { spec, kept } = this.collection(name);
      const found = this.live(kept.get(id));
      if (found?.version !== version) return false;
      const expiresAt = options.expiresAt === undefined ? found.expiresAt : options.expiresAt;
      const next = { ...found, version: version + 1, body: copyOf(body), expiresAt };
      this.checkUnique(spec, kept, next);
      kept.set(id, next);
      this.onWritten(name, id, body);
      return true;
    });
  }

  delete(name: string, id: string, version?: number): Promise<boolean> {
    return soon(() => {
      const { kept } = this.collection(name);
      const found = this.live(kept.get(id));
      return !!found && (version === undefined || found.version === version) && kept.delete(id);
    });
  }

  find<Body>(name: string, query: Query): Promise<readonly Document<Body>[]> {
    return soon(() => {
      checkQuery(this.collection(name).spec, query);
      const { sort, limit, after } = query;
      const order = inOrderOf(sort);
      const end = after && { id: after.id, body: { [sort.field]: after.value } };
      const found = this.matching(name, query).filter((one) => !end || order(one, end) > 0);
      return found
        .sort(order)
        .slice(0, limit)
        .map(documentOf<Body>);
    });
  }

  scan<Body>(name: string, after: string | null, limit: number): Promise<readonly Document<Body>[]> {
    return soon(() =>
      this.matching(name, { where: [] })
        .filter(({ id }) => after === null || id > after)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit)
        .map(documentOf<Body>),
    );
  }

  count(name: string, filter: Filter, atMost = Infinity): Promise<number> {
    return soon(() => {
      checkFilter(this.collection(name).spec, filter);
      return Math.min(atMost, this.matching(name, filter).length);
    });
  }

  getGuarded(name: string, ids: readonly string[]): Promise<readonly GuardedDocument[]> {
    return soon(() => {
      const { kept } = this.collection(name);
      return ids.flatMap((id) => {
        const found = this.live(kept.get(id));
        return found ? [{ id, position: found.position ?? '', body: found.body }] : [];
      });
    });
  }

  putGuarded(name: string, writes: readonly GuardedWrite[]): Promise<readonly string[]> {
    return soon(() => {
      const { kept } = this.collection(name);
      return writes.filter((write) => !this.put(kept, write)).map(({ id }) => id);
    });
  }

  drop(name: string): Promise<void> {
    return soon(() => void this.stored.delete(name));
  }

  clear(name: string): Promise<void> {
    return soon(() => this.collection(name).kept.clear());
  }

  collections(prefix: string): Promise<readonly string[]> {
    return soon(() => [...this.stored.keys()].filter((name) => name.startsWith(prefix)));
  }

  deleteExpired(): Promise<number> {
    return soon(() => {
      let deleted = 0;
      for (const { kept } of this.stored.values())
        for (const [id, document] of kept) if (!this.live(document) && kept.delete(id)) deleted += 1;
      return deleted;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private collection(name: string): Collection {
    const known = this.stored.get(name);
    if (!known) throw new TypeError(`collection ${name} was not prepared`);
    return known;
  }

  private live(found: Kept | undefined): Kept | undefined {
    return found && (found.expiresAt === null || found.expiresAt > this.clock.now()) ? found : undefined;
  }

  private matching(name: string, filter: Filter): (Kept & { body: Fields })[] {
    const live = [...this.collection(name).kept.values()].filter((one) => this.live(one));
    return live.flatMap((one) => (one.body && matches(one.body, filter) ? [{ ...one, body: one.body }] : []));
  }

  private checkUnique({ name, indexes }: CollectionSpec, kept: Map<string, Kept>, { id, body }: Kept): void {
    for (const { fields } of indexes.filter(({ unique }) => unique)) {
      const isTaken = ({ id: otherId, body: other }: Kept) =>
        otherId !== id &&
        fields.every((field) => valueOf(body ?? {}, field) === valueOf(other ?? {}, field)) &&
        fields.every((field) => valueOf(body ?? {}, field) !== null);
      if ([...kept.values()].some((one) => this.live(one) && isTaken(one)))
        throw new DuplicateDocument(`${name} has a document with the ${fields.join(', ')} of ${id}`);
    }
  }

  private put(kept: Map<string, Kept>, { id, body, position, isNew }: GuardedWrite): boolean {
    const found = this.live(kept.get(id));
    if (isNew ? found : !found || (found.position ?? '') >= position) return false;
    const expiresAt = body ? null : plus(this.clock.now(), TOMBSTONE_LIFETIME);
    kept.set(id, { id, version: (found?.version ?? 0) + 1, body: body && copyOf(body), expiresAt, position });
    return true;
  }
}

/** Answers in a later turn, as every store does; what is thrown rejects. */
const soon = <Answer>(work: () => Answer): Promise<Answer> => Promise.resolve().then(work);

const copyOf = (body: object): Fields => JSON.parse(JSON.stringify(body)) as Fields;

/** The port trusts the type that a body is read as. */
const documentOf = <Body>({ id, version, body }: Kept & { readonly body: Fields }): Document<Body> => ({
  id,
  version,
  body: JSON.parse(JSON.stringify(body)) as Body,
});
