import process from 'node:process';
import { inUse } from '../../build/builds.js';

/** Before the first test: where the tests are built, which every worker is told. */
export default () => {
  process.env.TESTS_ARE_IN = inUse('tests');
};
