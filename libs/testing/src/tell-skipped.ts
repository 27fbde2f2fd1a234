import process from 'node:process';

/** What a test may need of the machine beyond Node, by the variable that gives it: a test looks for nothing by itself. */
const GIVEN = {
  CHROMIUM: '<program>',
  PROMTOOL: '<program>',
  PDFTOTEXT: '<program>',
  CURL: '<program>',
  GO: '<program>',
  GOPATH: '<folder of src/golang.org/x/mod>',
  EVENTSTORE_URL: 'esdb://<host>:<port>',
  MONGODB_URL: 'mongodb://<host>:<port>',
} as const;

/** Tells that tests are skipped, and why, loudly: the runner names them only when it is asked to. */
export const tellSkipped = (what: string, why: string): void => {
  process.stderr.write(`SKIPPED ${what}: ${why}\n`);
};

/** The same for tests that need what these variables give: what would run them. */
export const tellNotGiven = (what: string, ...variables: readonly (keyof typeof GIVEN)[]): void => {
  tellSkipped(what, `it runs with ${variables.map((name) => `${name}=${GIVEN[name]}`).join(' ')}`);
};
