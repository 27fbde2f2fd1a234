/** What test files import as `@jest/globals` (build/build.js): the functions of the test file that runs at the moment. */
const current = (name) => {
  const globals = () => globalThis[Symbol.for('alcada.test-globals')];
  return new Proxy(() => undefined, {
    apply: (_, self, args) => Reflect.apply(globals()[name], self, args),
    get: (_, key) => globals()[name][key],
  });
};

export const describe = current('describe');
export const it = current('it');
export const expect = current('expect');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
