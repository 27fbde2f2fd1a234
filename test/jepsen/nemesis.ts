import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '#testing';
import type { History } from './history.js';
import type { Cluster } from './cluster.js';
import type { Supervised } from './supervised.js';

export interface Victims {
  readonly apis: readonly Supervised[];
  readonly projectors: readonly Supervised[];
  /** The ways to the servers, by name. */
  readonly lines: readonly { readonly name: string; readonly line: TcpProxy }[];
  /** Whether the process that listens there is at an order. */
  readonly isOrdering: (origin: string) => boolean;
  /** The nodes of the event store, where this run has started them. */
  readonly cluster: Cluster | null;
  /** A file on the small disk that the data are on, which may fill it; null: they are on no such disk. */
  readonly filler: string | null;
}

/** From when to when (ms) something was wrong. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** For how long (ms) an order is waited for whose process is to be killed, and how far it may have come. */
const [WAIT, FAR] = [1_000, 25];
/** Ms between two faults, that a process stands still (the last is longer than any lease), that a line is down, a disk full. */
const [PAUSES, STILL, DOWN, FULL] = [[800, 3_000], [300, 2_000, 11_000], 2_500, 1_500] as const;

/** Does harm again and again, one thing at a time, until `isOver`; returns when something was wrong. Leaves all well. */
export const nemesis = async (
  victims: Victims,
  { history, random, isOver }: { history: History; random: () => number; isOver: () => boolean },
): Promise<readonly Span[]> => {
  const one = <Thing>(things: readonly Thing[]): Thing => {
    const thing = things[Math.floor(random() * things.length)];
    if (thing === undefined) throw new Error('there is nothing to choose from');
    return thing;
  };
  const processes = [...victims.apis, ...victims.projectors];
  const { lines, filler, cluster } = victims;
  /** Resolves in the middle of an order of this process, if there is one soon. */
  const inTheMiddle = async ({ origin }: Supervised) => {
    if (origin === '') return;
    for (const end = performance.now() + WAIT; performance.now() < end && !victims.isOrdering(origin);) await sleep(1);
    await sleep(random() * FAR);
  };
  const kill = async () => {
    const victim = one(processes);
    await inTheMiddle(victim);
    history.fault('kill', victim.name);
    await victim.kill();
  };
  const stop = async () => {
    const victim = one(processes);
    await inTheMiddle(victim);
    history.fault('stop', victim.name);
    victim.signal('SIGSTOP');
    await sleep(one(random() < 0.15 ? STILL : STILL.slice(0, 2)));
    victim.signal('SIGCONT');
  };
  const jump = () => {
    const victim = one(victims.apis);
    history.fault('jump of the clock', victim.name);
    victim.signal('SIGUSR2');
    return Promise.resolve();
  };
  const cut = async () => {
    const { name, line } = one(lines);
    history.fault('cut', name);
    line.cut();
    if (random() < 0.5) return;
    await line.goDown();
    await sleep(DOWN);
    await line.restore();
  };
  const fill = async (file: string) => {
    history.fault('full disk', file);
    fillUp(file);
    await sleep(FULL);
    rmSync(file, { force: true });
  };
  const ofCluster = Object.entries(cluster?.faults ?? {}).map(([name, harm]) => async () => {
    history.fault(name, 'the event store');
    await harm();
  });
  const faults = [
    ...ofCluster,
    kill,
    stop,
    jump,
    ...(lines.length > 0 ? [cut] : []),
    ...(filler === null ? [] : [() => fill(filler)]),
  ];

  const spans: Span[] = [];
  while (!isOver()) {
    await sleep(PAUSES[0] + random() * (PAUSES[1] - PAUSES[0]));
    if (isOver()) break;
    const from = performance.now();
    await one(faults)();
    spans.push({ from, to: performance.now() });
  }
  return spans;
};

/** Writes until there is no room: the disk is a small one. */
const fillUp = (file: string): void => {
  for (const bytes of [1_048_576, 65_536, 4_096, 512])
    for (let isRoom = true; isRoom;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        isRoom = false;
      }
    }
};
