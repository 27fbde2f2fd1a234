/** Waiting times (ms) and limits of checkouts; a value, the class is its own token. */
export abstract class CheckoutSettings {
  /** How long a checkout may hold seats and reserve money (docs/consistency.md, rule 6). */
  abstract readonly hold: number;
  /** How long the processor may take to capture (rule 9). */
  abstract readonly charge: number;
  /** How long the lease of the recovery worker lasts, and how often it looks for work (rule 8). */
  abstract readonly recoveryLease: number;
  abstract readonly recoveryPause: number;
  /** Refused cards in ten minutes for a holder and client; 0 = unlimited. */
  abstract readonly refusedCards: number;
  /** Challenges of one holder that wait at once; 0 = unlimited, and then so are the seats they hold. */
  abstract readonly openChallenges: number;
}
