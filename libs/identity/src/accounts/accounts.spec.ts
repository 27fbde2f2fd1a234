import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RandomIds } from '#kernel';
import { openTestDocuments } from '../testing/test-documents.js';
import { testIdentitySettings } from '../testing/test-settings.js';
import { Accounts } from './accounts.js';
import type { PasswordCost } from './password.js';
import { Passwords } from './passwords.js';

const CHEAP = { N: 1_024, r: 8, p: 1 };
const DEARER = { N: 2_048, r: 8, p: 2 };
const ANA = { email: 'ana@example.com', password: 'alcada-demo' } as const;

let store: Awaited<ReturnType<typeof openTestDocuments>>;
beforeEach(async () => {
  store = await openTestDocuments();
  await accountsAt(CHEAP).prepare();
});
afterEach(() => store.close());

const accountsAt = (passwordCost: PasswordCost): Accounts =>
  new Accounts(store.documents, new RandomIds(), new Passwords(testIdentitySettings({ passwordCost })));
const costOf = async (holder: string | null) => {
  const account = await store.documents.get<{ password: { cost: PasswordCost } }>('accounts', holder ?? '');
  return account?.body.password.cost;
};

describe('an account', () => {
  it('is proven by its e-mail, however written, and its password', async () => {
    const accounts = accountsAt(CHEAP);
    const holder = await accounts.add(ANA);
    expect(await accounts.holderProvenBy({ ...ANA, email: ' ANA@example.com ' }, null)).toBe(holder);
    expect(await accounts.holderProvenBy({ ...ANA, password: 'errada' }, null)).toBeNull();
    expect(await accounts.holderProvenBy({ ...ANA, email: 'bia@example.com' }, null)).toBeNull();
  });

  it('is hashed again at the first right password after the cost changed, not at a wrong one', async () => {
    const holder = await accountsAt(CHEAP).add(ANA);
    await accountsAt(DEARER).holderProvenBy({ ...ANA, password: 'errada' }, null);
    expect(await costOf(holder)).toEqual(CHEAP);
    expect(await accountsAt(DEARER).holderProvenBy(ANA, null)).toBe(holder);
    expect(await costOf(holder)).toEqual(DEARER);
    expect(await accountsAt(DEARER).holderProvenBy(ANA, null)).toBe(holder);
  });

  it('of the configuration keeps the password it was given later', async () => {
    const accounts = accountsAt(CHEAP);
    await accounts.ensure(ANA);
    const holder = (await accounts.holderOf(ANA.email)) ?? '';
    await accounts.setPassword(holder, 'outra-senha');
    await accounts.ensure(ANA);
    expect(await accounts.holderProvenBy(ANA, null)).toBeNull();
    expect(await accounts.holderProvenBy({ ...ANA, password: 'outra-senha' }, null)).toBe(holder);
  });
});
