import { LRUCache } from 'lru-cache';
import { familyNamed } from '../figures/families.rule.js';

/** How many clients are remembered, and for how long (ms): a client that is registered anew may be called otherwise. */
const [REMEMBERED, FOR] = [5_000, 600_000];

/** The family of a client's registered name; null: a name that tells none. */
type Family = string | null;

/** Families of agents that show a token, by the names they are registered under. */
export class ClientFamilies {
  private readonly known = new LRUCache<string, { readonly family: Family }>({ max: REMEMBERED, ttl: FOR });

  /** `nameOf`: the name a client is registered under; null: there is no such client. */
  constructor(private readonly nameOf: (clientId: string) => Promise<string | null>) {}

  /** The family of a client that was asked for before; undefined where it was not. */
  remembered(clientId: string): Family | undefined {
    return this.known.get(clientId)?.family;
  }

  /** The family of a client; null as well where it cannot be told now. */
  async ask(clientId: string): Promise<Family> {
    try {
      const name = await this.nameOf(clientId);
      const family = name === null ? null : familyNamed(name);
      this.known.set(clientId, { family });
      return family;
    } catch {
      return null;
    }
  }
}
