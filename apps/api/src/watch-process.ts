import type { Config } from '#config';
import { startTelemetry, type Telemetry } from '#telemetry';
import type { Logger } from 'pino';

/** What watches this process as the configuration says; null: nothing. `program`: its name. @throws see `startTelemetry` */
export const watchProcess = ({ telemetry }: Config, program: string, logger: Logger): Promise<Telemetry | null> =>
  startTelemetry(telemetry, program, (trouble) => {
    if (trouble === null) logger.info('traces are taken again');
    else logger.warn({ trouble }, 'traces are not taken');
  });
