import { Injectable } from '@nestjs/common';
import { Collection, Documents } from '#documents';
import { Clock, plus } from '#kernel';
import { z } from 'zod';
import { SESSION_LIFE } from '../identity-settings.js';
import { hashOf, newSecret } from '../secrets.js';

const storedSession = z.object({ holder: z.string(), loggedInAt: z.string() });
export type Session = z.infer<typeof storedSession>;

/** Who is logged in: twelve hours from the login. A session exists only after a login; its id is never one from before. */
@Injectable()
export class Sessions {
  private readonly stored: Collection<Session>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, { name: 'sessions', indexes: [{ fields: ['holder'] }] }, storedSession);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Begins a session under a new id, so that an id planted before the login is worth nothing. */
  async begin(holder: string): Promise<string> {
    const now = this.clock.now();
    const id = newSecret();
    await this.stored.insert(hashOf(id), { holder, loggedInAt: now }, { expiresAt: plus(now, SESSION_LIFE) });
    return id;
  }

  async find(id: string): Promise<Session | null> {
    return (await this.stored.get(hashOf(id)))?.body ?? null;
  }

  /** Ends every session of a holder, wherever they are logged in. */
  async endAll(holder: string): Promise<void> {
    await this.stored.deleteAll('holder', holder);
  }

  async end(id: string): Promise<void> {
    await this.stored.delete(hashOf(id));
  }
}
