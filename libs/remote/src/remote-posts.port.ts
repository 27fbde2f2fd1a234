/** What a stranger's server answered to a message. */
export interface Posted {
  readonly status: number;
  /** How long (s) it asks to be left alone; null: it does not say. */
  readonly retryAfter: number | null;
}

export interface PostedMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Messages to addresses that strangers name, over the same guards as what is read there (docs/adr/0107-one-guarded-fetcher.md). */
export abstract class RemotePosts {
  /** Whether an address is of a form that anything is sent to. Where it leads is seen when it is. */
  abstract takes(url: string): boolean;

  /** Sends a message, in 15 seconds; nothing of the answer's body is read. @throws DocumentUnread; `signal` ends it as `unreachable` */
  abstract post(url: string, message: PostedMessage, signal?: AbortSignal): Promise<Posted>;

  /** Sends a message, and reads the JSON object that is answered with 2xx, in five seconds. @throws DocumentUnread */
  abstract ask(url: string, message: PostedMessage): Promise<Readonly<Record<string, unknown>>>;
}
