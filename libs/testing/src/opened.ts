/** Something that may have to be closed, by one of two words. */
interface Openable {
  readonly close?: () => unknown;
  readonly stop?: () => unknown;
}
type Open<Opened> = () => Opened | Promise<Opened>;

/** What `open` opens before the first case of a file; it is closed, or stopped, after the last. */
export const openForAll = <Opened extends object>(open: Open<Opened & Openable>): Opened =>
  openBetween(beforeAll, afterAll, open);

/** What `open` opens anew before each case; it is closed, or stopped, after it. */
export const openForEach = <Opened extends object>(open: Open<Opened & Openable>): Opened =>
  openBetween(beforeEach, afterEach, open);

/** Stands for what is open at the moment, so that it can be named before it is there. */
const openBetween = <Opened extends object>(
  before: typeof beforeAll,
  after: typeof afterAll,
  open: Open<Opened & Openable>,
): Opened => {
  let opened: (Opened & Openable) | null = null;
  before(async () => {
    opened = await open();
  });
  after(async () => {
    await (opened?.close ? opened.close() : opened?.stop?.());
  });
  const isOpen = (): Opened => {
    if (!opened) throw new Error('it is open while the cases run');
    return opened;
  };
  return new Proxy({} as Opened, {
    get: (_, name) => {
      const member: unknown = Reflect.get(isOpen(), name);
      return typeof member === 'function' ? (member.bind(opened) as unknown) : member;
    },
    set: (_, name, value) => Reflect.set(isOpen(), name, value),
  });
};
