import { type Clock, millisecondsOf } from '#kernel';
import {
  base64,
  formatVerifierKey,
  fromDecimal,
  type KnownWitness,
  parseNote,
  parseSignatures,
  type Policy,
  signatureLine,
  type TreeRoot,
  verifyNote,
} from '#verifier';
import type { Cosignatures } from './cosignatures.js';
import { nodeCrypto } from './node-crypto.js';

/** How long (ms) a witness may take to answer, and how much (bytes) it may say. */
const [TIMEOUT, MOST_BYTES] = [5_000, 65_536];

/** A tree as it is offered: its size, the signed note about it, and how it continues an older one. */
export interface OfferedTree {
  readonly size: number;
  readonly note: string;
  /** The consistency proof from the tree of an older size. */
  readonly since: (older: number) => Promise<readonly Uint8Array[]>;
}

/** A witness did not cosign. The message says why, for the operator. */
export class NotCosigned extends Error {
  override readonly name = 'NotCosigned';

  override toString(): string {
    return this.message;
  }

  constructor(
    message: string,
    /** The witness understood and said no, as it says to a fork: somebody has to look. */
    readonly isRefusal: boolean,
  ) {
    super(message);
  }
}

/** What the status of an answer means (C2SP tlog-witness, add-checkpoint). */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'it cannot read the offer',
  403: 'it does not accept the key of this log',
  404: 'it does not know the origin of this log',
  422: 'it says that this tree does not continue the one it cosigned before: has the log been forked or restored?',
};

/** One witness, which is offered trees over HTTP (C2SP tlog-witness). */
export class Witness {
  readonly name: string;
  /** The size of the tree that it cosigned last, as far as is known; a witness says so where it is another. */
  private last = 0;

  constructor(
    private readonly known: KnownWitness,
    private readonly clock: Clock,
  ) {
    this.name = known.name;
  }

  /** The witness's signature line for a tree. @throws NotCosigned, also where `signal` aborts */
  async offer(tree: OfferedTree, signal: AbortSignal): Promise<string> {
    const answer = await this.send(tree, Math.min(this.last, tree.size), signal);
    if (answer.status !== 409) return this.cosigned(tree, answer);
    this.last = sizeIn(answer.text);
    if (this.last > tree.size) {
      throw new NotCosigned(`it has cosigned a larger tree of this log already, of ${this.last} entries`, true);
    }
    return this.cosigned(tree, await this.send(tree, this.last, signal));
  }

  private async cosigned({ size, note }: OfferedTree, { status, text }: Answer): Promise<string> {
    if (status !== 200) throw new NotCosigned(REFUSALS[status] ?? `it answers ${status}`, status in REFUSALS);
    const { key } = this.known;
    try {
      const own = parseSignatures(text).filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
      await verifyNote({ text: parseNote(note).text, signatures: own }, [key], nodeCrypto);
      this.last = size;
      return own.slice(0, 1).map(signatureLine).join('');
    } catch (error) {
      throw new NotCosigned(`its answer is no cosignature by ${formatVerifierKey(key)}: ${String(error)}`, false);
    }
  }

  private async send({ note, since }: OfferedTree, older: number, signal: AbortSignal): Promise<Answer> {
    const proof = await since(older);
    const body = [`old ${older}`, ...proof.map((hash) => base64(hash)), '', note].join('\n');
    const ending = new AbortController();
    const cancel = this.clock.after(TIMEOUT, () => ending.abort(new Error(`it did not answer within ${TIMEOUT} ms`)));
    try {
      const either = AbortSignal.any([ending.signal, signal]);
      const url = `${(this.known.url ?? '').replace(/\/$/, '')}/add-checkpoint`;
      const response = await fetch(url, { method: 'POST', body, redirect: 'error', signal: either });
      return { status: response.status, text: await shortText(response) };
    } catch (error) {
      throw new NotCosigned(reasonOf(error), false);
    } finally {
      cancel();
    }
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const shortText = async ({ body }: Response): Promise<string> => {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BYTES) throw new Error(`its answer is longer than ${MOST_BYTES} bytes`);
  }
  return text;
};

/** @throws NotCosigned */
const sizeIn = (text: string): number => {
  try {
    return fromDecimal(text.trimEnd());
  } catch {
    throw new NotCosigned('it does not say which tree it cosigned last', false);
  }
};

/** `fetch failed` alone says nothing. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** How long (ms) a witness that fails is left alone: longer after each failure. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1_000, 60_000];

export interface OfferedHead extends TreeRoot, OfferedTree {}

/** How witnesses are reported: for metrics and the log of the process. */
export interface WitnessObserver {
  /** Every offer, by the witness's name in the policy. */
  readonly onOffer: (witness: string, outcome: 'cosigned' | 'refused' | 'failed') => void;
  /** A witness has begun to fail (why), or cosigns again (null). */
  readonly onTrouble: (witness: string, trouble: string | null, isRefusal: boolean) => void;
}

export interface WitnessParts {
  readonly policy: Policy;
  readonly cosignatures: Pick<Cosignatures, 'add'>;
  /** The head as it is now; null before the first. */
  readonly head: () => Promise<OfferedHead | null>;
  readonly clock: Clock;
  /** How often (ms) the head is looked at. */
  readonly interval: number;
  readonly observer: WitnessObserver;
  readonly onError: (error: unknown) => void;
}

interface Watched {
  readonly witness: Witness;
  cosigned: number;
  /** How long it has just been left alone (ms), and until when; 0: it did not fail. */
  pause: number;
  restsUntil: number;
}

/** Offers each head to all witnesses in one round, so that their cosignatures meet on it. Nothing waits for a round. */
export class Witnesses {
  private readonly watched: readonly Watched[];
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WitnessParts) {
    this.watched = parts.policy.witnesses
      .filter(({ url }) => url !== null)
      .map((known) => ({ witness: new Witness(known, parts.clock), cosigned: 0, pause: 0, restsUntil: 0 }));
  }

  start(): void {
    this.running = this.run();
  }

  /** Breaks off the offers that are under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Offers the head to every witness that has not cosigned it and is not left alone. @throws DocumentsUnavailable */
  async round(): Promise<void> {
    const { clock, head: readHead } = this.parts;
    const now = clock.now();
    const due = this.watched.filter(({ restsUntil }) => restsUntil <= millisecondsOf(now));
    const head = due.length > 0 ? await readHead() : null;
    if (!head) return;
    const offered = due.filter(({ cosigned }) => cosigned !== head.size);
    await Promise.all(offered.map((one) => this.offer(one, head, now)));
  }

  private async run(): Promise<void> {
    const { clock, interval, onError } = this.parts;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.round().catch(onError);
      await clock.sleep(interval, signal);
    }
  }

  private async offer(watched: Watched, head: OfferedHead, at: string): Promise<void> {
    const { cosignatures, observer, clock } = this.parts;
    const { witness } = watched;
    const { signal } = this.stopping;
    try {
      await cosignatures.add(head, at, witness.name, await witness.offer(head, signal));
    } catch (error) {
      if (signal.aborted) return;
      const isRefusal = error instanceof NotCosigned && error.isRefusal;
      observer.onOffer(witness.name, isRefusal ? 'refused' : 'failed');
      if (watched.pause === 0) observer.onTrouble(witness.name, String(error), isRefusal);
      watched.pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, watched.pause * 2));
      watched.restsUntil = millisecondsOf(clock.now()) + watched.pause;
      return;
    }
    observer.onOffer(witness.name, 'cosigned');
    if (watched.pause > 0) observer.onTrouble(witness.name, null, false);
    Object.assign(watched, { cosigned: head.size, pause: 0 });
  }
}
