/** `target` with some members in the place of its own. */
export const overriding = <Target extends object>(target: Target, members: Partial<Target>): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name) as unknown;
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
