import { type CollectionSpec, type Document, Documents, DocumentsUnavailable, type Query } from '#documents';
import { DomainError, type Instant } from '#kernel';
import type { ZodType } from 'zod';

/** One kind of document, checked as it is read. A store that does not answer is a `service_unavailable`. */
export class Collection<Body extends object> {
  constructor(
    private readonly documents: Documents,
    private readonly spec: CollectionSpec,
    private readonly schema: ZodType<Body>,
  ) {}

  /** Declares the collection; once, at start. */
  async prepare(): Promise<void> {
    await reached(this.documents.prepare(this.spec));
  }

  /** @throws DuplicateDocument */
  async insert(id: string, body: Body, expiresAt?: Instant): Promise<void> {
    await reached(this.documents.insert(this.spec.name, id, body, { ...(expiresAt && { expiresAt }) }));
  }

  async get(id: string): Promise<Document<Body> | null> {
    const document = await reached(this.documents.get<unknown>(this.spec.name, id));
    return document && this.checked(document);
  }

  /** Compare-and-set on `version`; answers whether it was still that one. Without `expiresAt` the expiry stays. */
  async replace({ id, version }: Document<Body>, body: Body, expiresAt?: Instant): Promise<boolean> {
    return reached(this.documents.replace(this.spec.name, id, version, body, { ...(expiresAt && { expiresAt }) }));
  }

  /** Removes a document, if `version` is given only while it has that one; answers whether there was one. */
  async delete(id: string, version?: number): Promise<boolean> {
    return reached(this.documents.delete(this.spec.name, id, version));
  }

  /** Removes all documents whose `field`, an indexed one, has this value; answers how many there were. */
  async deleteAll(field: string, value: string): Promise<number> {
    let deleted = 0;
    for (;;) {
      const where = [{ field, equals: value }];
      const found = await this.find({ where, sort: { field, direction: 'ascending' }, limit: 100 });
      if (found.length === 0) return deleted;
      for (const { id } of found) if (await this.delete(id)) deleted += 1;
    }
  }

  /** All documents, in the order of an indexed field. */
  async *all(field: keyof Body & string): AsyncIterable<Document<Body>> {
    const query: Query = { where: [], sort: { field, direction: 'ascending' }, limit: 100 };
    let page = await this.find(query);
    while (page.length > 0) {
      yield* page;
      const last = page.at(-1);
      page = last ? await this.find({ ...query, after: { value: String(last.body[field]), id: last.id } }) : [];
    }
  }

  async find(query: Query): Promise<readonly Document<Body>[]> {
    const found = await reached(this.documents.find<unknown>(this.spec.name, query));
    return found.map((document) => this.checked(document));
  }

  private checked({ id, version, body }: Document<unknown>): Document<Body> {
    return { id, version, body: this.schema.parse(body) };
  }
}

const reached = async <Result>(answer: Promise<Result>): Promise<Result> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DocumentsUnavailable)
      throw new DomainError('service_unavailable', undefined, { cause: error });
    throw error;
  }
};
