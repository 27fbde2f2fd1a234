import { DocumentsUnavailable } from '#documents';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable } from '#event-store';
import { Unavailable } from '#kernel';
import type { Intercept } from '../support/intercept.js';
import type { Actor } from './scheduler.js';
import type { Simulation } from './simulation.js';

/** Everything that goes wrong in simulated lives. Each is counted, as `fault: <name>`. */
export const FAULTS = [
  // a call and its answer
  'answer lost',
  'never arrives',
  'arrives late',
  'arrives twice',
  'refused',
  'slow',
  'line down',
  'conflict',
  'append of unknown outcome',
  // a process
  'process dies before a call',
  'process dies after a call',
  'process stands still',
  'clock is wrong',
  'clock jumps forwards',
  'clock jumps backwards',
  // a store
  'disk full',
  'disk failing',
  'leases forgotten',
  'read models forgotten',
  'documents unreadable for ten seconds',
  // who holds a lease
  'lease holder ahead of time',
  // what projections are delivered
  'delivery slow',
  'delivery repeated',
  'second projector',
  'projector dies',
  'lists hours late',
  'projection stopped for good',
  // between an agent and the service
  'request lost',
  'reply lost',
  'request sent twice',
] as const;
export type Fault = (typeof FAULTS)[number];

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Whether an error says no more than that a line or a store was bad. */
export const isOfTheLine = (error: unknown): boolean => error instanceof Unavailable || error instanceof NoAnswer;

/** What becomes of a call that changes something, where its line is bad. */
const FATES = ['answer lost', 'never arrives', 'arrives late', 'arrives twice', 'refused'] as const;

/** The same while a line is down: nothing is answered. */
const ASTRAY = ['answer lost', 'never arrives', 'arrives late'] as const;

/** Nothing that a dead process does goes on. */
const forever = <Answer>(): Promise<Answer> => new Promise(() => undefined);

export interface Caller {
  readonly name: string;
  readonly actor: Actor;
  readonly die: () => void;
}

/** The line from a process to stores and processor: a request arrives though its sender dies, its answer not. */
export const lineOf = (simulation: Simulation, { name, actor, die }: Caller): Intercept => {
  const { scheduler } = simulation;
  const happens = (fault: Fault, call: string): void => {
    simulation.count(`fault: ${fault}`);
    simulation.tell(() => `${name}: ${call} [${fault}]`);
  };
  /** Whether the process dies here, by chance. */
  const diesAt = (where: 'before' | 'after', call: string): boolean => {
    if (!simulation.chance(simulation.trouble.deaths)) return false;
    happens(`process dies ${where} a call`, call);
    simulation.count(`crash: ${call}`);
    die();
    return true;
  };
  let downUntil = 0;
  /** Whether a call goes astray: its line is down for some seconds, or it alone. */
  const goesAstray = (call: string): boolean => {
    if (simulation.chance(simulation.trouble.lines / 50)) {
      happens('line down', call);
      downUntil = scheduler.now + 2_000 + simulation.random() * 20_000;
    }
    return scheduler.now < downUntil || simulation.chance(simulation.trouble.lines);
  };
  /** Who is not answered learns so after a while. */
  const timeOut = (who: Actor | null): Promise<void> => scheduler.delay(100 + simulation.random() * 3_000, who);
  /** What projectors ask for all the time is not told. */
  const tell = (line: () => string): void => {
    if (name !== 'projector') simulation.tell(line);
  };
  const travel = (who: Actor | null, call: string): Promise<void> => {
    const latency = simulation.latency();
    if (latency >= 1_000) happens('slow', call);
    return scheduler.delay(latency, who);
  };

  return async (call, send) => {
    const { powerFailures } = simulation;
    /** Read models are the machine's own: what was under way to them when its power failed never arrives. */
    const work = (): ReturnType<typeof send> =>
      call.startsWith('putGuarded ') && simulation.powerFailures > powerFailures ? forever() : send();
    const own = call.startsWith('ledger: ') ? null : actor;
    if (own?.isDead) return forever();
    if (own) simulation.count(`call: ${call}`);
    if (own && diesAt('before', call)) return forever();
    const stand = own && standOf(own, simulation);
    if (stand) {
      happens('process stands still', call);
      own.standsUntil = scheduler.now + stand;
    }
    if (own && isDocument(call) && scheduler.now < simulation.documentsDownUntil) {
      happens('documents unreadable for ten seconds', call);
      await timeOut(own);
      throw refused(call);
    }
    const isBad = goesAstray(call);
    if (isQuestion(call)) {
      if (isBad) happens('refused', call);
      // What is read is as it was when it was asked for; the answer takes its time.
      const answer = isBad ? null : await settled(work());
      await travel(own, call);
      tell(() => `${name}: ${call}`);
      if (answer === null) throw refused(call);
      return answered(answer);
    }
    const broken = brokenBy(simulation, call);
    if (broken) happens(broken, call);
    const fates = scheduler.now < downUntil ? ASTRAY : FATES;
    const fate = broken === 'disk full' ? 'refused' : isBad ? simulation.pick(fates) : null;
    if (fate && !broken) happens(fate, call);
    if (fate === 'refused' || fate === 'never arrives' || fate === 'arrives late') {
      if (fate === 'arrives late') {
        scheduler.after(simulation.random() * 90_000, null, () => {
          tell(() => `${name}: ${call}, late`);
          void settled(work());
        });
      }
      if (fate === 'refused') {
        await travel(own, call);
        throw refused(call);
      }
      await timeOut(own);
      throw unanswered(call, simulation);
    }
    await travel(null, call);
    if (broken === 'disk failing') {
      if (simulation.chance(0.5)) await settled(work());
      die();
      return forever();
    }
    const answer = await settled(work());
    tell(() => `${name}: ${call}${'error' in answer ? ` = ${String(answer.error)}` : ''}`);
    if ('error' in answer && answer.error instanceof RevisionConflict) happens('conflict', call);
    if (fate === 'arrives twice') scheduler.after(simulation.random() * 1_000, null, () => void settled(work()));
    if (own?.isDead || (own && diesAt('after', call))) return forever();
    if (fate === 'answer lost') {
      await timeOut(own);
      throw unanswered(call, simulation);
    }
    await travel(own, call);
    return answered(answer);
  };
};

/** For how long (ms) a process stands still at a call; null: it does not. */
const standOf = (actor: Actor, simulation: Simulation): number | null => {
  const { standsAt } = actor;
  if (standsAt && (standsAt.calls -= 1) < 0) {
    actor.standsAt = null;
    return standsAt.milliseconds;
  }
  return simulation.chance(simulation.trouble.stalls) ? 5_000 + simulation.random() * 700_000 : null;
};

type Settled<Answer> = { readonly value: Answer } | { readonly error: unknown };

const settled = <Answer>(answer: Promise<Answer>): Promise<Settled<Answer>> =>
  answer.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

const answered = <Answer>(answer: Settled<Answer>): Answer => {
  if ('error' in answer) throw answer.error;
  return answer.value;
};

const isQuestion = (call: string): boolean => /^(ledger: )?(read|get|find|scan|count|getGuarded) /.test(call);

const isDocument = (call: string): boolean =>
  /^(ledger: )?(insert|get|replace|delete|deleteExpired|find|scan|count|getGuarded|putGuarded|clear) /.test(call);

/** What the disk does to a call that writes. One that fails at a commit ends the process (docs/consistency.md, rule 14). */
const brokenBy = ({ disk, scheduler, random }: Simulation, call: string): 'disk full' | 'disk failing' | null => {
  const writes = call.startsWith('append ') || isDocument(call);
  if (!writes || !disk || scheduler.now >= disk.until) return null;
  if (disk.is === 'full') return 'disk full';
  return !call.startsWith('ledger: ') && random() < 0.2 ? 'disk failing' : null;
};

const unanswered = (call: string, simulation: Simulation): Error => {
  if (!call.startsWith('append ')) return isDocument(call) ? new DocumentsUnavailable(call) : new NoAnswer(call);
  simulation.count('fault: append of unknown outcome' satisfies `fault: ${Fault}`);
  return new AppendOutcomeUnknown(call);
};

const refused = (call: string): Error => {
  if (/^(append|read) /.test(call)) return new StoreUnavailable(call);
  return isDocument(call) ? new DocumentsUnavailable(call) : new NoAnswer(call);
};
