import { operatorMessage } from './operator-message.js';

/** Exit code of a process that cannot run as it is configured (BSD sysexits, EX_CONFIG). */
const EX_CONFIG = 78;

/** Says why the process cannot start, and ends it: an operator is told what they can change, anything else with its stack. */
export const exitOnFailedStart = (error: unknown): never => {
  const told = operatorMessage(error);
  const fault = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`alcada cannot start: ${told ?? fault ?? ''}\n`);
  process.exit(told === null ? 1 : EX_CONFIG);
};
