import { lazily } from './keyed-mutex.js';

it('is made when it is first asked for, and once for all who ask at the same moment', async () => {
  let made = 0;
  const get = lazily(() => Promise.resolve({ number: (made += 1) }));
  expect(made).toBe(0);
  const [one, other] = await Promise.all([get(), get()]);
  expect(one).toBe(other);
  expect(await get()).toBe(one);
  expect(made).toBe(1);
});

it('is made again after a failure, which everybody who waited for it is told', async () => {
  let tries = 0;
  const get = lazily(() => ((tries += 1) === 1 ? Promise.reject(new Error('first')) : Promise.resolve(tries)));
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toBe(2);
});
