import { PROCESSES } from './script.js';
import type { Processes, SimulatedProcess } from './processes.js';
import type { Simulation } from './simulation.js';

/** How often somebody sends a request again, and what they wait (ms) for an answer and between two tries. */
const TRIES = 3;
const PATIENCE = 60_000;
const BETWEEN = 5_000;

/** What somebody is answered over a line on which requests and replies are lost, and come twice. */
export class Insisting {
  constructor(
    private readonly simulation: Simulation,
    private readonly processes: Processes,
  ) {}

  /**
   * Sends a request to one process and then the next, until a reply is final or patience ends. `isRepeated` false: once.
   * Returns all that arrived.
   */
  async send<Reply>(
    on: number,
    isRepeated: boolean,
    answer: (process: SimulatedProcess) => Promise<Reply>,
    isFinal: (reply: Reply) => boolean,
  ): Promise<readonly Reply[]> {
    const arrived: Reply[] = [];
    for (let tries = 0; tries < (isRepeated ? TRIES : 1); tries += 1) {
      const sent = [this.once(on + tries, answer)];
      if (isRepeated && this.simulation.chance(this.simulation.trouble.lines)) {
        this.simulation.count('fault: request sent twice');
        sent.push(this.once(on + tries + 1, answer));
      }
      const replies = (await Promise.all(sent)).filter((reply) => reply !== null);
      arrived.push(...replies);
      if (replies.some(isFinal)) break;
      await this.simulation.scheduler.delay(BETWEEN, null);
    }
    return arrived;
  }

  /** null: nothing arrived for a long time. */
  private async once<Reply>(on: number, answer: (process: SimulatedProcess) => Promise<Reply>): Promise<Reply | null> {
    const { simulation } = this;
    const { scheduler, trouble } = simulation;
    if (simulation.chance(trouble.lines)) {
      simulation.count('fault: request lost');
      await scheduler.delay(PATIENCE, null);
      return null;
    }
    const reply = Promise.race([
      this.processes.run(on % PROCESSES, answer),
      scheduler.delay(PATIENCE, null).then(() => null),
    ]);
    if (!simulation.chance(trouble.lines)) return reply;
    simulation.count('fault: reply lost');
    await reply;
    return null;
  }
}
