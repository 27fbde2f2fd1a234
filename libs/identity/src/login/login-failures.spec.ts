import { FixedClock } from '#testing';
import { openTestDocuments } from '../testing/test-documents.js';
import { testIdentitySettings } from '../testing/test-settings.js';
import { LoginFailures, waitAfter } from './login-failures.js';

const HERE = '192.0.2.1';
let store: ReturnType<typeof openTestDocuments>;
beforeAll(async () => {
  store = openTestDocuments();
  await failuresWith(5).prepare();
});

const failuresWith = (loginFailures: number): LoginFailures =>
  new LoginFailures(store.documents, store.clock, testIdentitySettings({ loginFailures }));

const fail = async (email: string, times: number): Promise<void> => {
  for (let failed = 0; failed < times; failed += 1) await failuresWith(5).begin(email, HERE);
};

describe('the wait after wrong passwords', () => {
  it('is zero for the free attempts, then doubles up to a minute and stays there', () => {
    const waits = Array.from({ length: 14 }, (_, index) => waitAfter(index + 1, 5));
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect(waitAfter(5_000, 5)).toBe(60);
  });
});

describe('wrong passwords of an account from an address', () => {
  it('make it wait from the fifth on, and are counted only when they are compared', async () => {
    const failures = failuresWith(5);
    const email = 'ana@example.com';
    await fail(email, 4);
    expect(await failures.begin(email, HERE)).toEqual({ wait: 0, isLastFree: true });
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await failures.begin(email, HERE)).toEqual({ wait: 1, isLastFree: false });
    }
    store.clock.advance(1_000);
    expect(await failures.begin(email, HERE)).toEqual({ wait: 0, isLastFree: false });
    expect(await failures.begin(email, HERE)).toMatchObject({ wait: 2 });
  });

  it('are counted once each, however many arrive at the same time', async () => {
    const failures = failuresWith(5);
    const attempts = await Promise.all(Array.from({ length: 40 }, () => failures.begin('bia@example.com', HERE)));
    expect(attempts.filter(({ wait }) => wait === 0)).toHaveLength(5);
    expect(attempts.filter(({ isLastFree }) => isLastFree)).toHaveLength(1);
  });

  it('never make a free attempt wait, also where the clock of whoever counted before is ahead', async () => {
    const ahead = new FixedClock();
    ahead.advance(5_000);
    const elsewhere = new LoginFailures(store.documents, ahead, testIdentitySettings({ loginFailures: 5 }));
    await elsewhere.begin('kim@example.com', HERE);
    expect(await failuresWith(5).begin('kim@example.com', HERE)).toEqual({ wait: 0, isLastFree: false });
  });

  it('are counted for the account in any spelling of its e-mail, and for no other account or address', async () => {
    const failures = failuresWith(5);
    await fail('Caio@Example.com ', 5);
    expect(await failures.begin('caio@example.com', HERE)).toMatchObject({ wait: 1 });
    expect(await failures.begin('dora@example.com', HERE)).toMatchObject({ wait: 0 });
    expect(await failures.begin('caio@example.com', '192.0.2.2')).toMatchObject({ wait: 0 });
  });

  it('are forgotten after the right password, and a quarter of an hour after the last wrong one', async () => {
    const failures = failuresWith(5);
    await fail('eva@example.com', 5);
    await failures.forget('eva@example.com', HERE);
    expect(await failures.begin('eva@example.com', HERE)).toEqual({ wait: 0, isLastFree: false });
    await fail('fabio@example.com', 5);
    store.clock.advance(900_000);
    await fail('fabio@example.com', 4);
    expect(await failures.begin('fabio@example.com', HERE)).toEqual({ wait: 0, isLastFree: true });
  });

  it('are taken back where they could not be compared', async () => {
    const failures = failuresWith(5);
    await fail('gil@example.com', 4);
    await failures.takeBack('gil@example.com', HERE);
    await fail('gil@example.com', 1);
    expect(await failures.begin('gil@example.com', HERE)).toEqual({ wait: 0, isLastFree: true });
  });

  it('are taken back no further than to none, though the right password came in between', async () => {
    const failures = failuresWith(5);
    await fail('hugo@example.com', 1);
    await failures.forget('hugo@example.com', HERE);
    await fail('hugo@example.com', 1);
    for (let times = 0; times < 2; times += 1) await failures.takeBack('hugo@example.com', HERE);
    await fail('hugo@example.com', 4);
    expect(await failures.begin('hugo@example.com', HERE)).toEqual({ wait: 0, isLastFree: true });
  });

  it('are counted for the account alone where the address is unknown', async () => {
    for (let tried = 0; tried < 5; tried += 1) await failuresWith(5).begin('lia@example.com', null);
    expect(await failuresWith(5).begin('lia@example.com', null)).toMatchObject({ wait: 1 });
    expect(await failuresWith(5).begin('lia@example.com', HERE)).toMatchObject({ wait: 0 });
    expect(await failuresWith(5).begin('max@example.com', null)).toMatchObject({ wait: 0 });
  });

  it('are not counted where counting is off', async () => {
    for (let tried = 0; tried < 10; tried += 1) {
      expect(await failuresWith(0).begin('hugo@example.com', HERE)).toEqual({ wait: 0, isLastFree: false });
    }
  });

  it('name neither the account nor the address in the store', async () => {
    await fail('iris@example.com', 1);
    const { documents } = store;
    expect(await documents.count('login-failures', { where: [] })).toBeGreaterThan(0);
    expect(await documents.get('login-failures', 'iris@example.com')).toBeNull();
  });
});
