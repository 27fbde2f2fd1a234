import type { Instant } from '#kernel';

export type Unread =
  /** It is no https address, or one with a user, a password or a fragment. */
  | 'address_flawed'
  /** The name has no address. */
  | 'host_unknown'
  /** The name, or what answered, is not at a public address. */
  | 'address_not_public'
  /** No connection, or none that proves by its certificate to be the host's. */
  | 'unreachable'
  /** Its host says that there is none (404, 410). */
  | 'gone'
  /** Another status than 200. Redirects are not followed. */
  | 'status_not_200'
  /** It is not JSON by its media type, or is encoded. */
  | 'media_type'
  | 'too_large'
  /** Its content is no JSON object. */
  | 'not_an_object'
  | 'too_slow'
  /** Too much is being fetched already. Unlike the others this is forgotten at once. */
  | 'busy';

/** A document of somebody else's server was not read. The reason is for logs; who asked for it learns only that it failed. */
export class DocumentUnread extends Error {
  override readonly name = 'DocumentUnread';

  constructor(
    readonly reason: Unread,
    options?: ErrorOptions,
  ) {
    super(`the document was not read: ${reason}`, options);
  }
}

/** A JSON object that somebody else's server answered. Nothing of what it says has been checked. */
export interface RemoteDocument {
  readonly body: Readonly<Record<string, unknown>>;
  /** Without parameters, in lower case. */
  readonly mediaType: string;
  readonly fetchedAt: Instant;
  readonly freshUntil: Instant;
}

/** JSON documents at addresses of strangers: the one way to send a request there (docs/adr/0107-one-guarded-fetcher.md). */
export abstract class RemoteDocuments {
  /** The document, if it is kept and fresh; null: it is not. Nothing is fetched, so that a read may ask. */
  abstract kept(url: string): RemoteDocument | null;

  /** The document, fresh or kept, in three seconds. @param noOlderThan ms, ten seconds at least. @throws DocumentUnread */
  abstract get(url: string, noOlderThan?: number): Promise<RemoteDocument>;
}
