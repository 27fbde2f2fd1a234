import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/** What was said of each operation so far: `RouteConfig` of Nest knows one saying only, which replaces those before it. */
const said = new WeakMap<object, FastifyContextConfig>();

/** Configures an operation's Fastify route, for hooks that run before Nest. On a controller: all operations without their own. */
export const configureRoute =
  (config: FastifyContextConfig): ClassDecorator & MethodDecorator =>
  (target: object, name?: string | symbol, operation?: PropertyDescriptor): void => {
    for (const [key, one] of operation && name !== undefined ? [[name, operation] as const] : operationsOf(target)) {
      const value = one.value as object;
      const whole = { ...config, ...said.get(value) };
      said.set(value, whole);
      RouteConfig(whole)(target, key, one);
    }
  };

const operationsOf = (controller: object): readonly (readonly [string, PropertyDescriptor])[] => {
  const { prototype } = controller as { readonly prototype: object };
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return members.filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor');
};
