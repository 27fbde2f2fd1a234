import type { CommandBus, ICommand } from '@nestjs/cqrs';
import { asDomainError } from '#http';
import { type Ending, measure } from './instrumentation.js';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

/** Measures every command that `bus` executes from now on. Of a command only its name is recorded. */
export const instrumentCommands = (bus: CommandBus, tracing: Tracing | null, metrics: Metrics | null): void => {
  const execute: (command: ICommand) => Promise<unknown> = bus.execute.bind(bus);
  const measured = (command: ICommand): Promise<unknown> => {
    const name = command.constructor.name;
    return measure(
      tracing,
      {
        span: { name: `command ${name}`, attributes: { 'alcada.command': name } },
        outcomeOf,
        onEnd: (outcome, seconds) => metrics?.commands.observe({ command: name, outcome }, seconds),
      },
      () => execute(command),
    );
  };
  Object.assign(bus, { execute: measured });
};

/** `ok`, or the error code. */
const outcomeOf = (ending: Ending<unknown>): string => ('error' in ending ? asDomainError(ending.error).code : 'ok');
