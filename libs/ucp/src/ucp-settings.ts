import type { AccountRegistration } from '#identity';

/** A value; the class is its own token. */
export abstract class UcpSettings {
  /** A domain of the operator's in reverse, `com.example`, below which our own names lie; null: there is none. */
  abstract readonly namespace: string | null;
  /** For whom the tokens buy that everybody knows: only on an installation that nobody else can reach; null: there are none. */
  abstract readonly traveller: AccountRegistration | null;
  /** Whether mandates of AP2 are taken, and asked of whoever knows them. */
  abstract readonly ap2: boolean;
}
