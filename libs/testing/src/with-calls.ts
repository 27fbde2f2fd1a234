type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** `target` with somebody between: its methods are what `between` makes of each; all else is its own. */
export const withCalls = <Target extends object>(target: Target, between: (name: string, call: Call) => Call): Target =>
  new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? between(String(name), member.bind(target) as Call) : member;
    },
  });
