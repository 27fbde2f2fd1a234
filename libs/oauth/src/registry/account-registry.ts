import { z } from 'zod';
import { type AccountRegistration, type Accounts, normalized, type Sessions } from '#identity';
import { RegistrationRefused, type RevokeAgents } from './client-registry.js';

/** An account as an operator sees it. `holder` identifies its owner in every event. */
interface ListedAccount {
  readonly email: string;
  readonly holder: string;
}

/** The shortest password accepted, in characters (NIST SP 800-63B §5.1.1.2), and the longest. */
const SHORTEST = 8;
const LONGEST = 256;

const ARTICLES = { traveller: 'a', auditor: 'an' } as const;

/** The accounts that can log in to one realm, for an operator. Every method throws RegistrationRefused. */
export class AccountRegistry {
  /** `configured`: those that every start restores. `forget`: ends what an owner granted, and returns how many grants. */
  constructor(
    private readonly who: keyof typeof ARTICLES,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly configured: readonly AccountRegistration[] = [],
    private readonly forget: (holder: string) => Promise<number> = () => Promise.resolve(0),
  ) {}

  async list(): Promise<readonly ListedAccount[]> {
    const listed: ListedAccount[] = [];
    for await (const account of this.accounts.all()) listed.push(account);
    return listed;
  }

  async add({ email: given, password }: AccountRegistration): Promise<ListedAccount> {
    const email = checkedEmail(given);
    checkPassword(password);
    const holder = await this.accounts.add({ email: given, password });
    if (holder === null) throw this.taken(email);
    return { email, holder };
  }

  /** Changes the e-mail, and with it the login: logins of before go on, and agents keep their grants. */
  async setEmail(email: string, given: string): Promise<ListedAccount> {
    const [holder, next] = [await this.holderOf(email), checkedEmail(given)];
    this.refuseConfigured(email);
    if (!(await this.accounts.setEmail(holder, next))) throw this.taken(next);
    return { email: next, holder };
  }

  /** Logs the owner out everywhere, since somebody else may know the old password. Their agents keep their grants. */
  async setPassword({ email, password }: AccountRegistration): Promise<void> {
    const holder = await this.holderOf(email);
    checkPassword(password);
    await this.accounts.setPassword(holder, password);
    await this.sessions.endAll(holder);
  }

  /** Removes the account, its sessions, agents (by `revoke`) and grants. Events stay, and name only the holder. */
  async remove(
    email: string,
    revoke: RevokeAgents = () => Promise.resolve(0),
  ): Promise<ListedAccount & { readonly endedGrants: number }> {
    this.refuseConfigured(email);
    const holder = await this.holderOf(email);
    await this.sessions.endAll(holder);
    await revoke({ holder });
    // Last, so that an interrupted removal can be run again.
    await this.accounts.remove(holder);
    await this.sessions.endAll(holder);
    return { email: normalized(email), holder, endedGrants: await this.forget(holder) };
  }

  private taken(email: string): RegistrationRefused {
    return new RegistrationRefused(`there is ${ARTICLES[this.who]} ${this.who} ${email} already`);
  }

  private refuseConfigured(email: string): void {
    if (!this.configured.some((one) => normalized(one.email) === normalized(email))) return;
    throw new RegistrationRefused(
      `${email} comes from the configuration (DEMO_TRAVELLERS), which every start restores`,
    );
  }

  private async holderOf(email: string): Promise<string> {
    const holder = await this.accounts.holderOf(email);
    if (holder === null) throw new RegistrationRefused(`there is no ${this.who} ${email}`);
    return holder;
  }
}

const checkedEmail = (given: string): string => {
  const email = normalized(given);
  if (!z.email().max(254).safeParse(email).success) throw new RegistrationRefused(`${given} is no e-mail`);
  return email;
};

const checkPassword = (password: string): void => {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw new RegistrationRefused(`a password must have ${SHORTEST} to ${LONGEST} characters`);
  }
};
