import { connect, type Socket } from 'node:net';
import { scheduler } from 'node:timers/promises';

const READ = 'GET /api/v1/flights/AL1201 HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST_READ = READ.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const HALF_A_HEAD = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const HALF_A_BODY =
  'POST /api/v1/webmcp/call HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';
const PIPELINED = 16;

interface Kind {
  /** Once a connection stands; `place` counts them. */
  readonly begin: (socket: Socket, place: number) => void;
  /** Every second. */
  readonly drip?: (socket: Socket) => void;
  /** Connections that are opened in a tenth of a second. Those that end soon work the service as much as callers do. */
  readonly atOnce: number;
}

const KINDS = {
  /** One request, and then nothing. */
  idle: { begin: (socket) => socket.write(READ), atOnce: 100 },
  'slow head': { begin: (socket) => socket.write(HALF_A_HEAD), drip: (socket) => socket.write('x'), atOnce: 100 },
  'slow body': { begin: (socket) => socket.write(HALF_A_BODY), drip: (socket) => socket.write(' '), atOnce: 100 },
  /** Many requests before the first answer. */
  pipeline: { begin: (socket) => socket.write(READ.repeat(PIPELINED - 1) + LAST_READ), atOnce: 4 },
  /** Whole requests and half ones, after which the caller says no more and waits. */
  'half-closed': { begin: (socket, place) => socket.end(place % 2 === 0 ? READ : HALF_A_BODY), atOnce: 40 },
  /** The same, cut off while they are read or answered. */
  aborted: {
    begin: (socket, place) => {
      socket.write(place % 2 === 0 ? READ : HALF_A_BODY, () => socket.resetAndDestroy());
    },
    atOnce: 40,
  },
} as const satisfies Record<string, Kind>;

export type Flooding = keyof typeof KINDS;
export const FLOODINGS = Object.keys(KINDS) as readonly Flooding[];

export interface Tally {
  /** Those that stood, in all; and of them those that stand now. */
  readonly opened: number;
  readonly standing: number;
  /** Those that could not be opened. */
  readonly refused: number;
}

/** Connections of one kind from many addresses of this machine: so many at once, or one after the other. */
export interface Flood {
  readonly tally: () => Tally;
  /** Opens no more, and waits until every connection has been ended by the other side. */
  readonly drained: () => Promise<void>;
  readonly stop: () => void;
}

/** How often (ms) connections are opened, and after how many times of that the slow ones say a word. */
const [TICK, DRIP] = [100, 10];

/** Keeps `count` connections from so many loopback addresses; one that ends is opened again, until `inAll`. */
export const flood = (
  flooding: Flooding,
  port: number,
  {
    count,
    addresses,
    inAll = Infinity,
  }: { readonly count: number; readonly addresses: number; readonly inAll?: number },
): Flood => {
  const { begin, drip, atOnce }: Kind = KINDS[flooding];
  const open = new Set<Socket>();
  let [begun, opened, standing, refused] = [0, 0, 0, 0];
  let isOver = false;

  const openOne = (): void => {
    const place = begun;
    begun += 1;
    const localAddress = `127.0.1.${1 + (place % addresses)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    let isStanding = false;
    open.add(socket);
    socket.once('connect', () => {
      isStanding = true;
      [opened, standing] = [opened + 1, standing + 1];
      begin(socket, place);
    });
    socket.on('error', () => undefined); // it is cut: that is what a flood is there for
    socket.once('end', () => socket.end());
    socket.once('close', () => {
      open.delete(socket);
      if (isStanding) standing -= 1;
      else refused += 1;
    });
    socket.resume();
  };

  const run = async (): Promise<void> => {
    for (let tick = 0; !isOver; tick += 1) {
      const missing = Math.min(count - open.size, atOnce, inAll - begun);
      for (let one = 0; one < missing; one += 1) openOne();
      if (tick % DRIP === 0 && drip) for (const socket of open) if (socket.writable && !socket.connecting) drip(socket);
      await scheduler.wait(TICK);
    }
  };
  const running = run();

  return {
    tally: () => ({ opened, standing, refused }),
    drained: async () => {
      while (begun < inAll && Number.isFinite(inAll)) await scheduler.wait(TICK);
      while (open.size > 0) await scheduler.wait(TICK); // the slow ones go on
      isOver = true;
      await running;
    },
    stop: () => {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
};
