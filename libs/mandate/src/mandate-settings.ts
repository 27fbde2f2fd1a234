/** Bounds on mandates; a value, the class is its own token. */
export abstract class MandateSettings {
  /** Mandates that one agent of one holder has open at once; 0 = unbounded. */
  abstract readonly openMandates: number;
}
