import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';
import { codeOf, watch } from './instrumentation.js';

/**
 * A command bus whose commands are watched, for Nest's `instrument.instanceDecorator`; every other instance stays as it is.
 * Of a command only its name is told.
 */
export const instrumentedCommands =
  (tracing: Tracing | null, metrics: Metrics | null) =>
  (instance: unknown): unknown => {
    if (!(instance instanceof CommandBus)) return instance;
    const execute = (command: ICommand): Promise<unknown> => {
      const name = command.constructor.name;
      return watch(
        tracing,
        {
          span: { name: `command ${name}`, attributes: { 'alcada.command': name } },
          outcomeOf: codeOf,
          ended: (outcome, seconds) => metrics?.commands.observe({ command: name, outcome }, seconds),
        },
        () => instance.execute(command),
      );
    };
    return new Proxy(instance, {
      get: (bus, member): unknown => (member === 'execute' ? execute : Reflect.get(bus, member)),
    });
  };
