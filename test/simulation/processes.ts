import type { LogicalProcess } from '../support/logical-process.js';
import type { Market } from '../support/market.js';
import type { Interleaving } from './interleaving.js';
import { asStrand, badLines } from './lines.js';
import { PROCESSES, type Script } from './script.js';
import { SkewedClock } from '../support/skewed-clock.js';

/** A process that may crash, and the strands of work that run in it. */
interface Mortal {
  readonly process: LogicalProcess;
  readonly strands: Set<string>;
  readonly death: Promise<void>;
  readonly die: () => void;
}

/** The processes of a life: each on bad lines, with a clock that may be wrong, replaced by another when it crashes. */
export class Processes {
  private readonly living: Mortal[];
  private count = 0;

  constructor(
    private readonly market: Market,
    private readonly interleaving: Interleaving,
    private readonly random: () => number,
    private readonly script: Script,
    private readonly heard: (error: unknown) => void,
  ) {
    this.living = Array.from({ length: PROCESSES }, (_, place) => this.newProcess(place));
  }

  /** Has a process do some work; ends with it, or with the process. */
  async run(place: number, work: (process: LogicalProcess) => Promise<void>): Promise<void> {
    const { process, strands, death } = this.at(place);
    this.count += 1;
    const strand = `strand ${this.count}`;
    strands.add(strand);
    await Promise.race([asStrand(strand, () => work(process).catch((error: unknown) => this.heard(error))), death]);
    strands.delete(strand);
  }

  /** Everything that the process does stands still for ever; another one takes its place. */
  crash(place: number): void {
    const { strands, die } = this.at(place);
    for (const strand of strands) this.interleaving.kill(strand);
    die();
    this.living[place] = this.newProcess(place);
  }

  private at(place: number): Mortal {
    const mortal = this.living[place];
    if (!mortal) throw new Error(`no process ${place}`);
    return mortal;
  }

  private newProcess(place: number): Mortal {
    let die = (): void => undefined;
    const death = new Promise<void>((resolve) => (die = resolve));
    const process = this.market.process({
      clock: new SkewedClock(this.market.stores.clock, this.script.skews[place] ?? 0),
      intercept: badLines(this.interleaving, this.random, this.script.trouble),
      onError: (_, error) => this.heard(error),
    });
    return { process, strands: new Set(), death, die };
  }
}
