import { Injectable } from '@nestjs/common';
import { type Document, Documents, DuplicateDocument } from '#documents';
import { Ids } from '#kernel';
import { z } from 'zod';
import { Collection } from '../collection.js';
import type { AccountRegistration } from '../oauth-settings.js';
import { isPassword, storedFrom, storedPassword } from './password.js';

/** A traveller who can log in. The document's id is the holder, a random UUID: no event ever names the e-mail. */
const storedAccount = z.object({ email: z.string(), password: storedPassword });
type Account = z.infer<typeof storedAccount>;

/** E-mails are compared without case and surrounding space. */
const normalized = (email: string): string => email.trim().toLowerCase();

/** The accounts of the travellers. */
@Injectable()
export class Accounts {
  private readonly stored: Collection<Account>;

  constructor(
    documents: Documents,
    private readonly ids: Ids,
  ) {
    const spec = { name: 'accounts', indexes: [{ fields: ['email'], unique: true }] };
    this.stored = new Collection(documents, spec, storedAccount);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Makes the account of a traveller of the configuration, unless there is one under the e-mail: its password may have changed. */
  async ensure({ email, password }: AccountRegistration): Promise<void> {
    if (await this.withEmail(email)) return;
    try {
      await this.stored.insert(this.ids.next(), { email: normalized(email), password: await storedFrom(password) });
    } catch (error) {
      // Another process starting at the same moment made it.
      if (!(error instanceof DuplicateDocument)) throw error;
    }
  }

  /** The holder whom e-mail and password prove, or null; it takes the same time for an account that is not there. */
  async holderProvenBy(email: string, password: string): Promise<string | null> {
    const account = await this.withEmail(email);
    const isProven = await isPassword(password, account?.body.password ?? null);
    return isProven && account ? account.id : null;
  }

  /** The e-mail of a holder, to show it to them; null where the account is gone. */
  async emailOf(holder: string): Promise<string | null> {
    return (await this.stored.get(holder))?.body.email ?? null;
  }

  private async withEmail(email: string): Promise<Document<Account> | undefined> {
    const where = [{ field: 'email', equals: normalized(email) }];
    const [account] = await this.stored.find({ where, sort: { field: 'email', direction: 'ascending' }, limit: 1 });
    return account;
  }
}
