import Base from '@jest/test-sequencer';

/**
 * Begins with the folders whose files take minutes in a sweep, goes on with those that start services, browsers and
 * processes, and ends with the units: a long file that begins last has one core work while the others idle. By itself Jest
 * goes by how long files took before, which a fresh clone does not know.
 */
const FIRST = [
  'simulation/',
  'guards/',
  'fuzz/',
  'storage/',
  'chaos/',
  'audit/',
  'browser/',
  'e2e/',
  'hostile/',
  '',
].map((folder) => `/test/${folder}`);
const place = ({ path }) => [...FIRST, ''].findIndex((folder) => path.includes(folder));

export default class Sequencer extends Base {
  sort(tests) {
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
}
