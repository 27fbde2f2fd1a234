import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Collection, type Document, Documents, DuplicateDocument } from '#documents';
import { Ids } from '#kernel';
import { type AccountRegistration, Realm, TRAVELLERS } from '../identity-settings.js';
import { type Asker, Passwords, storedPassword } from './passwords.js';

/** Somebody who can log in. The document's id, a random UUID, is the traveller's holder. No event ever names the e-mail. */
const storedAccount = z.object({
  email: z.string(),
  /** Null: the configuration's, until the first login with it, which hashes it. */
  password: storedPassword.nullable(),
  /** Whether notices go to the e-mail; absent: they do. */
  mails: z.boolean().optional(),
});
type Account = z.infer<typeof storedAccount>;

/** E-mails are compared without case and surrounding space. */
export const normalized = (email: string): string => email.trim().toLowerCase();

/** The accounts of a realm: those of the travellers, unless another is named. */
@Injectable()
export class Accounts {
  private readonly stored: Collection<Account>;
  /** The passwords of the configuration, by e-mail. */
  private readonly configured = new Map<string, string>();

  constructor(
    documents: Documents,
    private readonly ids: Ids,
    private readonly passwords: Passwords,
    { accounts }: Realm = TRAVELLERS,
  ) {
    const spec = { name: accounts, indexes: [{ fields: ['email'], unique: true }] };
    this.stored = new Collection(documents, spec, storedAccount);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  async *all(): AsyncIterable<{ readonly holder: string; readonly email: string }> {
    for await (const { id: holder, body } of this.stored.all('email')) yield { holder, email: body.email };
  }

  /** Creates an account; returns its holder, or null where the e-mail has an account already. */
  async add({ email, password }: AccountRegistration): Promise<string | null> {
    const holder = this.ids.next();
    const account = { email: normalized(email), password: await this.passwords.hash(password) };
    return (await this.stored.insertIfAbsent(holder, account)) ? holder : null;
  }

  async setPassword(holder: string, password: string): Promise<void> {
    const stored = await this.passwords.hash(password);
    await this.stored.update(holder, (account) => account && { ...account, password: stored });
  }

  /** Changes where an owner logs in, and is mailed to; returns false where the e-mail has an account already. */
  async setEmail(holder: string, email: string): Promise<boolean> {
    for (;;) {
      const account = await this.stored.get(holder);
      if (!account) return false;
      try {
        if (await this.stored.replace(account, { ...account.body, email: normalized(email) })) return true;
      } catch (error) {
        if (error instanceof DuplicateDocument) return false;
        throw error;
      }
    }
  }

  remove(holder: string): Promise<boolean> {
    return this.stored.delete(holder);
  }

  /** Creates the account of a configured traveller, hashed at first use, since a hash is slow. An existing account is kept. */
  async ensure({ email, password }: AccountRegistration): Promise<void> {
    this.configured.set(normalized(email), password);
    if (await this.withEmail(email)) return;
    await this.stored.insertIfAbsent(this.ids.next(), { email: normalized(email), password: null });
  }

  /** Whether there is such an account with its password in the configuration: nobody has logged in to it. */
  async isUnused(email: string): Promise<boolean> {
    return (await this.withEmail(email))?.body.password === null;
  }

  /** The holder with these credentials, or null, in the same time. @throws DomainError `service_unavailable` */
  async authenticate({ email, password }: AccountRegistration, address: string | null): Promise<string | null> {
    const account = await this.withEmail(email);
    const asker = { address, account: normalized(email) };
    if (account?.body.password === null) return this.authenticateFirst(account, password, asker);
    const stored = account?.body.password ?? null;
    const matches = await this.passwords.matches(password, stored, asker);
    if (!matches || !account || !stored) return null;
    if (this.passwords.isOutdated(stored)) {
      await this.stored.replace(account, { ...account.body, password: await this.passwords.hash(password) });
    }
    return account.id;
  }

  /** Compares with the configuration's password, and keeps its hash. */
  private async authenticateFirst(account: Document<Account>, password: string, asker: Asker): Promise<string | null> {
    const expected = this.configured.get(account.body.email) ?? null;
    const hashed = await this.passwords.hashIf(password, expected, asker);
    if (!hashed) return null;
    await this.stored.replace(account, { ...account.body, password: hashed });
    return account.id;
  }

  async holderOf(email: string): Promise<string | null> {
    return (await this.withEmail(email))?.id ?? null;
  }

  /** The e-mail of a holder, to show it to them; null where the account is gone. */
  async emailOf(holder: string): Promise<string | null> {
    return (await this.stored.get(holder))?.body.email ?? null;
  }

  /** Where notices to a holder are mailed; null: nowhere, since they do not want any, or the account is gone. */
  async mailTo(holder: string): Promise<string | null> {
    const account = await this.stored.get(holder);
    return account && account.body.mails !== false ? account.body.email : null;
  }

  async setMails(holder: string, mails: boolean): Promise<void> {
    await this.stored.update(holder, (account) => account && { ...account, mails });
  }

  private async withEmail(email: string): Promise<Document<Account> | undefined> {
    const where = [{ field: 'email', equals: normalized(email) }];
    const [account] = await this.stored.find({ where, sort: { field: 'email', direction: 'ascending' }, limit: 1 });
    return account;
  }
}
