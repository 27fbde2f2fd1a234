import type { Type } from '@nestjs/common';

/**
 * Makes the use cases of one process on these instances, by class. They are composed by the types of their constructors, as
 * Nest does it, but at once: a simulation makes thousands of processes. One of each class is made, unless it is `anew`.
 */
export const composition = (given: Iterable<readonly [type: unknown, instance: unknown]>) => {
  const instances = new Map(given);
  const anew = <Instance>(type: Type<Instance>): Instance => {
    const types = Reflect.getMetadata('design:paramtypes', type) as readonly Type<unknown>[];
    return new type(...types.map((one) => the(one)));
  };
  const the = <Instance>(type: Type<Instance>): Instance => {
    const instance = instances.get(type) ?? anew(type);
    instances.set(type, instance);
    return instance as Instance;
  };
  return { the, anew };
};
