import type { BaseUrls } from '#http';
import type { Caller, Cause } from '#kernel';

/** An agent's platform, as its profile describes it (UCP, Platform Profile). */
export interface Platform {
  /** The address of its profile, by which it is known. */
  readonly profile: string;
  /** By name, the versions of its capabilities. */
  readonly capabilities: ReadonlyMap<string, readonly string[]>;
  /** Where it is told of orders; null: nowhere. */
  readonly webhookUrl: string | null;
}

/** Who asks by a request of UCP, and what proves it. */
export interface Asking {
  readonly platform: Platform;
  /** The capabilities that both know, extensions without a parent left out (UCP, Intersection Algorithm). */
  readonly active: ReadonlySet<string>;
  /** By what the platform is known to be itself; null: it only says so. */
  readonly proof: 'signature' | 'token' | 'known' | null;
  /** The traveller and agent of its token; null: it has none. */
  readonly caller: Caller | null;
  readonly urls: BaseUrls;
  readonly cause: Cause;
}
