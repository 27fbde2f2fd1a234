import type { Documents } from '#documents';
import {
  type AccountRegistration,
  Accounts,
  AUDITORS,
  IdentitySettings,
  normalized,
  Passwords,
  Sessions,
} from '#identity';
import type { Clock, Ids } from '#kernel';
import { addAccount, RegistrationRefused } from '#oauth';

/** An auditor as an operator sees them. `auditor`: the id that names them in every event. */
export interface ListedAuditor {
  readonly email: string;
  readonly auditor: string;
}

/** The auditors who can log in, for an operator. Every method throws RegistrationRefused. */
export class AuditorRegistry {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
  ) {}

  async list(): Promise<readonly ListedAuditor[]> {
    const listed: ListedAuditor[] = [];
    for await (const { holder: auditor, email } of this.accounts.all()) listed.push({ email, auditor });
    return listed;
  }

  async add(registration: AccountRegistration): Promise<ListedAuditor> {
    const auditor = await addAccount(this.accounts, 'an auditor', registration);
    return { email: normalized(registration.email), auditor };
  }

  /** Removes the account and logs it out everywhere. What it looked at stays in the log, by its id. */
  async remove(email: string): Promise<ListedAuditor> {
    const auditor = await this.accounts.holderOf(email);
    if (auditor === null) throw new RegistrationRefused(`there is no auditor ${email}`);
    await this.accounts.remove(auditor);
    await this.sessions.endAll(auditor);
    return { email: normalized(email), auditor };
  }
}

interface RegistryPorts {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly ids: Ids;
}

export const openAuditorRegistry = async (
  { documents, clock, ids }: RegistryPorts,
  settings: IdentitySettings,
): Promise<AuditorRegistry> => {
  const accounts = new Accounts(documents, ids, new Passwords(settings), AUDITORS);
  const sessions = new Sessions(documents, clock, accounts, AUDITORS);
  for (const collection of [accounts, sessions]) await collection.prepare();
  return new AuditorRegistry(accounts, sessions);
};
