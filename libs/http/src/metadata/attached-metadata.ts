import { z } from 'zod';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import { DomainError, type Party } from '#kernel';

/** What an agent notes on a thing of its own: texts under names that it chose. */
export type Metadata = Readonly<Record<string, string>>;

export const MOST_NAMES = 50;

/** Metadata after changes; an empty text removes a name. @throws DomainError `invalid_metadata`: too many names */
export const changed = (before: Metadata, changes: Metadata): Metadata => {
  const entries = Object.entries({ ...before, ...changes }).filter(([, text]) => text !== '');
  if (entries.length > MOST_NAMES)
    throw new DomainError('invalid_metadata', [{ field: 'metadata', message: `pode ter até ${MOST_NAMES} nomes` }]);
  return Object.fromEntries(entries);
};

export const lengthOf = (metadata: Metadata): number => Buffer.byteLength(JSON.stringify(metadata));

const METADATA: CollectionSpec = { name: 'metadata', indexes: [{ fields: ['holder'] }] };

const attached = z
  .object({ holder: z.string(), clientId: z.string(), metadata: z.record(z.string(), z.string()) })
  .readonly();

/** How many things are read at once, and how many bytes of their metadata one answer has. */
const [READ_AT_ONCE, LONGEST] = [50, 128 * 1024];

/** Metadata by id, in documents that can be erased (docs/consistency.md, rule 27), written before the event of its thing. */
export class AttachedMetadata {
  private readonly stored: Collection<z.infer<typeof attached>>;
  /** Whether it is certain that there is none at all. */
  private isEmpty = false;

  /** `isShared`: whether other processes write to the same documents. */
  constructor(
    private readonly documents: Documents,
    private readonly isShared: boolean,
  ) {
    this.stored = new Collection(documents, METADATA, attached);
  }

  async prepare(): Promise<void> {
    await this.stored.prepare();
    this.isEmpty = !this.isShared && (await this.documents.count(METADATA.name, { where: [] }, 1)) === 0;
  }

  /** Keeps what a new thing comes with; what was kept under its id before stays. */
  async keep(id: string, { holder, clientId }: Party, given: Metadata | undefined): Promise<void> {
    const metadata = changed({}, given ?? {});
    if (Object.keys(metadata).length === 0) return;
    this.isEmpty = false;
    await this.stored.insertIfAbsent(id, { holder, clientId, metadata });
  }

  /** @throws DomainError `invalid_metadata` where `change` would; writes nothing */
  async requireRoom(id: string, changes: Metadata | undefined): Promise<void> {
    if (changes === undefined) return;
    const [found] = await this.stored.getMany([id]);
    changed(found?.body.metadata ?? {}, changes);
  }

  /** @throws DomainError `invalid_metadata` where there would be too many names; then nothing is changed */
  async change(id: string, { holder, clientId }: Party, changes: Metadata | undefined): Promise<void> {
    if (changes === undefined || Object.keys(changes).length === 0) return;
    this.isEmpty = false;
    await this.stored.update(id, (before) => ({
      holder,
      clientId,
      metadata: changed(before?.metadata ?? {}, changes),
    }));
  }

  /** What this agent noted, by id, or `{}`. It ends before it is too much for one answer: later ids have no entry. */
  async of(ids: readonly string[], party: Party): Promise<ReadonlyMap<string, Metadata>> {
    const noted = new Map<string, Metadata>();
    let length = 0;
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const block = ids.slice(from, from + READ_AT_ONCE);
      const found = this.isEmpty ? [] : await this.stored.getMany(block);
      const own = found.filter(({ body }) => body.holder === party.holder && body.clientId === party.clientId);
      const texts = new Map(own.map(({ id, body }) => [id, body.metadata]));
      for (const id of block) {
        const metadata = texts.get(id) ?? {};
        length += lengthOf(metadata);
        if (length > LONGEST && noted.size > 0) return noted;
        noted.set(id, metadata);
      }
    }
    return noted;
  }

  /** What this agent of this traveller noted on one thing. */
  async notedOn(id: string, party: Party): Promise<Metadata> {
    return (await this.of([id], party)).get(id) ?? {};
  }

  /** A page of a list with what the agent noted; shorter than asked for where that is too much for one answer. */
  async page<Part extends { readonly limit: number }, Item, Page extends { readonly items: readonly Item[] }>(
    party: Party,
    part: Part,
    read: (part: Part) => Promise<Page & { readonly items: readonly Item[] }>,
    idOf: (item: Item) => string,
  ): Promise<{ readonly page: Page; readonly metadata: ReadonlyMap<string, Metadata> }> {
    const page = await read(part);
    const metadata = await this.of(page.items.map(idOf), party);
    const isWhole = metadata.size === page.items.length;
    return isWhole ? { page, metadata } : this.page(party, { ...part, limit: metadata.size }, read, idOf);
  }

  /** Returns on how many things something was noted. */
  forgetAll(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }
}
