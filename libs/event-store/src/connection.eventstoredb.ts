import { EventStoreDBClient } from '@eventstore/db-client';
import { UnusableUrl } from './event-store.errors.js';

/** How often (ms) a connection may be replaced. */
const RENEWED_AT_MOST_EVERY = 1_000;
/** The client's own default (ms). */
const KEEP_ALIVE_TIMEOUT = 10_000;

/** A URL up to its hosts, as the client takes it apart: a login may have `/`, `?` and `,` in it. */
const PARTS = /^(?<scheme>[^:]+):\/\/(?<login>[^:]+:[^@]+@)?(?<hosts>[^/?]*)/;

export interface Line {
  readonly client: EventStoreDBClient;
  /** Ends everything under way on it. */
  readonly end: () => void;
  /** Whether it was ended: to a reader an ended call looks like one that came to its end. */
  readonly isOver: () => boolean;
}

/** The connection to the server. It can be replaced: one that is up and dead costs all who share it 20 seconds. */
export class Connection {
  /** Connections of one generation share a TCP connection; another generation gets another one. */
  private generation = 0;
  private renewedAt = -Infinity;
  private isClosed = false;
  private current: Line;

  /** @throws UnusableUrl */
  constructor(private readonly url: string) {
    this.current = this.another();
  }

  /** What reads and appends share. */
  get line(): Line {
    return this.current;
  }

  /** A line for one subscription: where the server ends a call, the client ends all that its channel carries. */
  another(): Line {
    return this.open(this.url);
  }

  /** A line to one node of a cluster (`host:port`), whether it leads or not. */
  to(node: string): Line {
    return this.open(this.url.replace(PARTS, `esdb://$<login>${node}`));
  }

  private open(url: string): Line {
    const client = heardOut(parsed(withKeepAliveTimeout(url, this.generation)));
    const channel = client['getChannel']();
    channel.catch(() => undefined); // whoever calls gets the error
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      void client.dispose();
      channel.then((open) => open.close()).catch(() => undefined);
    };
    return { client, end, isOver: () => isOver };
  }

  /** Replaces the line in use, if it is `failed`. What is under way on it fails at once. */
  renew(failed: Line): void {
    const now = performance.now();
    if (this.isClosed || failed !== this.current || now - this.renewedAt < RENEWED_AT_MOST_EVERY) return;
    this.renewedAt = now;
    this.generation += 1;
    this.current = this.another();
    failed.end();
  }

  close(): void {
    this.isClosed = true;
    this.current.end();
  }
}

/** The client waits for none of its own looks at a failed call, and one fails where no node leads: unheard, it would end the process. */
const heardOut = (client: EventStoreDBClient): EventStoreDBClient => {
  const handle = client['handleError'];
  client['handleError'] = (...failed) => handle(...failed).catch(() => undefined); // whoever calls next gets the error
  return client;
};

/** gRPC keeps one TCP connection for channels of the same options, also a dead one; other options make another. */
const withKeepAliveTimeout = (url: string, generation: number): string => {
  const [, given] = /[?&]keepAliveTimeout=(\d+)/i.exec(url) ?? [];
  const timeout = Number(given ?? KEEP_ALIVE_TIMEOUT) + (generation % 1_000);
  return `${url}${url.includes('?') ? '&' : '?'}keepAliveTimeout=${timeout}`;
};

/** Whether a URL names a cluster, of which the client looks for the leader. */
export const namesCluster = (url: string): boolean => {
  const { scheme = '', hosts = '' } = PARTS.exec(url)?.groups ?? {};
  return /\+discover$/i.test(scheme) || hosts.includes(',');
};

/** Of the hosts behind `esdb+discover://` the client asks the first alone; behind `esdb://` all, for the leader. */
export const withAllSeeds = (url: string): string =>
  url.replace(PARTS, (whole, scheme: string, login = '', hosts: string) =>
    hosts.includes(',') && scheme.toLowerCase() === 'esdb+discover' ? `esdb://${login}${hosts}` : whole,
  );

const parsed = (url: string): EventStoreDBClient => {
  try {
    return EventStoreDBClient.connectionString(withAllSeeds(url));
  } catch (error) {
    // The parser's own message quotes the URL, and with it a password.
    const isOfParser = error instanceof Error && 'connectionString' in error;
    const reason = isOfParser || !(error instanceof Error) ? 'it cannot be read' : error.message;
    throw new UnusableUrl(`the URL of the event store is not usable (esdb://user:password@host:2113): ${reason}`);
  }
};
