import { spawnSync } from 'node:child_process';
import process from 'node:process';

/** What is the same for every adapter, and the whole service from outside. */
const SUITES = ['libs/event-store', 'libs/documents', 'libs/read-models', 'test/e2e', 'test/soak/upgrade'];

/**
 * Runs the contract suites and the e2e suite against the servers that `environment` names; `-- <arguments of Jest>` choose
 * among them. Cases that need files of one process say so, and stay embedded. Answers the exit code.
 */
export const againstServers = (environment) => {
  const [, , ...args] = process.argv;
  const suites = args.length > 0 ? args : SUITES;
  const options = { stdio: 'inherit', env: { ...process.env, ...environment } };
  return spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...suites], options).status ?? 1;
};
