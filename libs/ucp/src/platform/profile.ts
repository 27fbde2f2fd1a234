import { z } from 'zod';
import type { PlatformKey } from '../asking.js';
import { ORDER, VERSION } from '../versions.js';

/** What a platform's profile says of it (UCP, Platform Profile). */
export interface Profile {
  readonly version: string;
  readonly capabilities: ReadonlyMap<string, readonly string[]>;
  readonly webhookUrl: string | null;
  readonly keys: readonly PlatformKey[];
}

const version = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const entry = z.looseObject({ version, config: z.looseObject({}).optional() });
const key = z.looseObject({
  kid: z.string(),
  kty: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  y: z.string().optional(),
  use: z.string().optional(),
});

/** What is read of a profile. More may be missing of what its schema asks for: nobody is refused for what is not used. */
const profile = z.looseObject({
  ucp: z.looseObject({ version, capabilities: z.record(z.string(), z.array(entry)).default({}) }),
  signing_keys: z.array(key).max(64).default([]),
});

const webhook = z.object({ webhook_url: z.url({ protocol: /^https?$/ }).max(2_000) });

/** The profile in a document; null where it is none. */
export const profileIn = (document: unknown): Profile | null => {
  const { data } = profile.safeParse(document);
  if (!data) return null;
  const { ucp, signing_keys: keys } = data;
  const entries = Object.entries(ucp.capabilities);
  const order = ucp.capabilities[ORDER]?.find((one) => one.version === VERSION);
  return {
    version: ucp.version,
    capabilities: new Map(entries.map(([name, all]) => [name, all.map((one) => one.version)])),
    webhookUrl: webhook.safeParse(order?.config).data?.webhook_url ?? null,
    keys,
  };
};
