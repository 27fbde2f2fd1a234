import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** What Nest itself has to say, in the one log. */
export const nestLog = (logger: Logger): LoggerService => ({
  log: (message: unknown) => logger.debug(String(message)),
  error: (message: unknown, ...more: readonly unknown[]) => logger.error({ err: more[0] }, String(message)),
  warn: (message: unknown) => logger.warn(String(message)),
});
