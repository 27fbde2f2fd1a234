import type { BaseUrls } from '#http';
import type { Caller, Cause } from '#kernel';

/** A public key of a platform (RFC 7517), as its profile has it. */
export interface PlatformKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly use?: string | undefined;
}

/** An agent's platform, as its profile describes it (UCP, Platform Profile). */
export interface Platform {
  /** The address of its profile, by which it is known. */
  readonly profile: string;
  /** By name, the versions of its capabilities. */
  readonly capabilities: ReadonlyMap<string, readonly string[]>;
  /** The address to which its orders are sent; null: none. */
  readonly webhookUrl: string | null;
  /** What its signatures are verified with; none: it signs nothing. */
  readonly keys: readonly PlatformKey[];
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
