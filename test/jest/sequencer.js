import Base from '@jest/test-sequencer';

/**
 * Begins with the longest file of all and those that start whole services, browsers and processes, and ends with the units: a
 * long file that begins last has one core work while the others idle. By itself Jest goes by how long files took before, which a fresh clone
 * does not know.
 */
const FIRST = ['/test/simulation/', '/test/browser/', '/test/e2e/', '/test/chaos/', '/test/hostile/', '/test/'];
const place = ({ path }) => [...FIRST, ''].findIndex((folder) => path.includes(folder));

export default class Sequencer extends Base {
  sort(tests) {
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
}
