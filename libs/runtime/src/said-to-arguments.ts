import { EX_USAGE } from './process-codes.js';
import { VERSION } from './version.js';

/** What is said of a command line, and the exit code that goes with it. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * What a process of the service says to its arguments; null: it has none. It takes none but these, and whoever believes that
 * `--port` did something has to learn that it did not.
 */
export const saidTo = ([first]: readonly string[]): Said | null => {
  if (first === undefined) return null;
  if (['--version', '-V'].includes(first)) return { code: 0, stdout: `${VERSION}\n`, stderr: '' };
  if (['--help', '-h'].includes(first)) return { code: 0, stdout: USAGE, stderr: '' };
  return { code: EX_USAGE, stdout: '', stderr: `alcada cannot start: it takes no argument ${first}\n\n${USAGE}` };
};

const USAGE = `Usage: npm start                     serve until Ctrl-C
       npm start -- --version        print the version

It is configured by environment variables alone, such as PORT=3100 DATA_DIR=./data npm start; .env.example and
docs/configuration.md have all of them. Commands for operators: npm run --silent alcada -- --help
`;
