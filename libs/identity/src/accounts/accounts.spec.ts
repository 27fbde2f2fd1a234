import { RandomIds } from '#kernel';
import { openTestDocuments } from '../testing/test-documents.js';
import type { PasswordCost } from '../identity-settings.js';
import { testIdentitySettings } from '../testing/test-settings.js';
import { Accounts } from './accounts.js';
import { Passwords } from './passwords.js';

const CHEAP = { N: 1_024, r: 8, p: 1 };
const DEARER = { N: 2_048, r: 8, p: 2 };
const ANA = { email: 'ana@example.com', password: 'alcada-demo' } as const;

let store: ReturnType<typeof openTestDocuments>;
beforeEach(async () => {
  store = openTestDocuments();
  await accountsAt(CHEAP).prepare();
});

const accountsAt = (passwordCost: PasswordCost): Accounts =>
  new Accounts(store.documents, new RandomIds(), new Passwords(testIdentitySettings({ passwordCost })));
const costOf = async (holder: string | null) => {
  const account = await store.documents.get<{ password: { cost: PasswordCost } }>('accounts', holder ?? '');
  return account?.body.password.cost;
};

describe('an account', () => {
  it('is authenticated by its e-mail, in any spelling, and its password', async () => {
    const accounts = accountsAt(CHEAP);
    const holder = await accounts.add(ANA);
    expect(await accounts.authenticate({ ...ANA, email: ' ANA@example.com ' }, null)).toBe(holder);
    expect(await accounts.authenticate({ ...ANA, password: 'errada' }, null)).toBeNull();
    expect(await accounts.authenticate({ ...ANA, email: 'bia@example.com' }, null)).toBeNull();
  });

  it('that is unknown takes a password check as well, so that the time does not tell', async () => {
    // A cost that scrypt refuses shows that a hash was computed.
    const accounts = accountsAt({ N: 3, r: 8, p: 1 });
    await expect(accounts.authenticate(ANA, null)).rejects.toThrow('scrypt');
  });

  it('has its password hashed again at the first correct login after the cost changed', async () => {
    const holder = await accountsAt(CHEAP).add(ANA);
    await accountsAt(DEARER).authenticate({ ...ANA, password: 'errada' }, null);
    expect(await costOf(holder)).toEqual(CHEAP);
    expect(await accountsAt(DEARER).authenticate(ANA, null)).toBe(holder);
    expect(await costOf(holder)).toEqual(DEARER);
    expect(await accountsAt(DEARER).authenticate(ANA, null)).toBe(holder);
  });

  it('of the configuration costs a start no hash, and has its password hashed by the first login with it', async () => {
    // A cost that scrypt refuses shows that none was computed.
    await accountsAt({ N: 3, r: 8, p: 1 }).ensure(ANA);
    const accounts = accountsAt(CHEAP);
    await accounts.ensure(ANA);
    const holder = await accounts.holderOf(ANA.email);
    expect(await accounts.authenticate({ ...ANA, password: 'errada' }, null)).toBeNull();
    expect(await accounts.isUnused(ANA.email)).toBe(true);
    const both = await Promise.all([accounts.authenticate(ANA, null), accounts.authenticate(ANA, null)]);
    expect(both).toEqual([holder, holder]);
    expect(await costOf(holder)).toEqual(CHEAP);
    expect(await accountsAt(CHEAP).authenticate(ANA, null)).toBe(holder);
  });

  it('of a configuration that is another by now, which nobody used, is open to nobody', async () => {
    await accountsAt(CHEAP).ensure(ANA);
    expect(await accountsAt(CHEAP).authenticate(ANA, null)).toBeNull();
    expect(await accountsAt(CHEAP).authenticate({ ...ANA, password: '' }, null)).toBeNull();
  });

  it('of the configuration keeps a password that was set later', async () => {
    const accounts = accountsAt(CHEAP);
    await accounts.ensure(ANA);
    const holder = (await accounts.holderOf(ANA.email)) ?? '';
    await accounts.setPassword(holder, 'outra-senha');
    await accounts.ensure(ANA);
    expect(await accounts.authenticate(ANA, null)).toBeNull();
    expect(await accounts.authenticate({ ...ANA, password: 'outra-senha' }, null)).toBe(holder);
  });
});
