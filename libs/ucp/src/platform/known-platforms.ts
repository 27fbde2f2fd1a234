import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { InvalidConfig } from '#config';
import { fileTrouble } from '#kernel';
import { spelled } from '#remote';
import { CAPABILITIES } from '../capabilities.js';
import { AP2, VERSION } from '../versions.js';
import { type Profile, profileIn } from './profile.js';

/** Profiles by address. */
export type KnownPlatforms = ReadonlyMap<string, Profile>;

const knowing = (...names: readonly string[]): Profile => ({
  version: VERSION,
  capabilities: new Map([...CAPABILITIES.map(({ name }) => name), ...names].map((name) => [name, [VERSION]])),
  webhookUrl: null,
  keys: [],
});

/** Whose profiles those who try an installation on their own machine refer to: they know what we do, and have no keys. */
const TRYING: KnownPlatforms = new Map([
  ['https://spck.dev/agent', knowing(AP2)],
  ['https://shopify.dev/ucp/agent-profiles/2026-04-08/valid-with-capabilities.json', knowing()],
]);

const byAddress = z.record(z.url({ protocol: /^https$/ }), z.unknown());

/** The platforms of a file, as `{ address: profile }`, and on a machine of its own those that try it. @throws InvalidConfig */
export const readKnownPlatforms = async (file: string | null, isLocal: boolean): Promise<KnownPlatforms> => {
  const builtIn = isLocal ? [...TRYING] : [];
  return new Map([...builtIn, ...(file === null ? [] : platformsIn(await contentOf(file)))]);
};

const contentOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new InvalidConfig(`UCP_PLATFORMS: ${file}: ${fileTrouble(error) ?? 'it cannot be read'}`, { cause: error });
  }
};

const platformsIn = (text: string): readonly (readonly [string, Profile])[] => {
  const { data, error } = byAddress.safeParse(parsed(text));
  if (error) throw new InvalidConfig('UCP_PLATFORMS: the file must have profiles by https address');
  return Object.entries(data).map(([address, document]) => {
    const profile = profileIn(document);
    if (profile?.version !== VERSION) throw new InvalidConfig(`UCP_PLATFORMS: ${address} has no profile of ${VERSION}`);
    return [spelled(address) ?? address, profile];
  });
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidConfig('UCP_PLATFORMS: the file is no JSON', { cause });
  }
};
