import { z } from 'zod';
import { type AccountRegistration, type Accounts, normalized, type Sessions } from '#identity';
import type { Consents } from '../authorize/remembered-consents.js';
import type { Grants } from '../grants/grants.js';
import type { OAuthSettings } from '../oauth-settings.js';
import { RegistrationRefused } from './client-registry.js';

/** A traveller as an operator sees them. `holder` identifies them in every event. */
export interface ListedTraveller {
  readonly email: string;
  readonly holder: string;
}

/** The shortest password accepted, in characters (NIST SP 800-63B §5.1.1.2), and the longest. */
const SHORTEST = 8;
const LONGEST = 256;

/** The travellers who can log in, for an operator. Every method throws RegistrationRefused. */
export class TravellerRegistry {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly granted: { readonly grants: Grants; readonly consents: Consents },
    private readonly settings: OAuthSettings,
  ) {}

  async list(): Promise<readonly ListedTraveller[]> {
    const listed: ListedTraveller[] = [];
    for await (const traveller of this.accounts.all()) listed.push(traveller);
    return listed;
  }

  async add({ email, password }: AccountRegistration): Promise<ListedTraveller> {
    return { email: normalized(email), holder: await addAccount(this.accounts, 'a traveller', { email, password }) };
  }

  /** Logs the traveller out everywhere, since somebody else may know the old password. Their agents keep their grants. */
  async setPassword({ email, password }: AccountRegistration): Promise<void> {
    const holder = await this.holderOf(email);
    checkPassword(password);
    await this.accounts.setPassword(holder, password);
    await this.sessions.endAll(holder);
  }

  /** Removes the account, its sessions and grants; returns how many grants. Events stay, and name only the holder. */
  async remove(email: string): Promise<number> {
    if (this.settings.accounts.some((configured) => normalized(configured.email) === normalized(email))) {
      throw new RegistrationRefused(
        `${email} comes from the configuration (DEMO_TRAVELLERS), which every start restores`,
      );
    }
    const holder = await this.holderOf(email);
    await this.accounts.remove(holder);
    await this.sessions.endAll(holder);
    await this.granted.consents.forgetAll('holder', holder);
    return this.granted.grants.forgetAll('holder', holder);
  }

  private async holderOf(email: string): Promise<string> {
    const holder = await this.accounts.holderOf(email);
    if (holder === null) throw new RegistrationRefused(`there is no traveller ${email}`);
    return holder;
  }
}

/** Adds an account; answers its id. `what`: what the account is of, such as "a traveller". @throws RegistrationRefused */
export const addAccount = async (
  accounts: Accounts,
  what: string,
  { email, password }: AccountRegistration,
): Promise<string> => {
  if (!z.email().max(254).safeParse(normalized(email)).success) throw new RegistrationRefused(`${email} is no e-mail`);
  checkPassword(password);
  const id = await accounts.add({ email, password });
  if (id === null) throw new RegistrationRefused(`there is ${what} ${normalized(email)} already`);
  return id;
};

const checkPassword = (password: string): void => {
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw new RegistrationRefused(`a password must have ${SHORTEST} to ${LONGEST} characters`);
  }
};
