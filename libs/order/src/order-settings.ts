/** Waiting times (ms) and bounds of the order use case; a value, the class is its own token. */
export abstract class OrderSettings {
  /** How long a checkout may hold seats and reserve money (docs/consistency.md, rule 6). */
  abstract readonly hold: number;
  /** How long the processor may take to capture (rule 9). */
  abstract readonly charge: number;
  /** How long the settler's lease lasts, and how often it looks for work (rule 8). */
  abstract readonly settlerLease: number;
  abstract readonly settlerPause: number;
  /** Refused cards in ten minutes for a holder and client; 0 = unbounded. */
  abstract readonly refusedCards: number;
  /** Challenges of one holder that wait at once; 0 = unbounded. */
  abstract readonly openChallenges: number;
}
