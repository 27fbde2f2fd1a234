import { guards, type Mutation } from '../mutation.js';

const days = 'libs/catalog/src/departures.spec.ts';
const NO_CHANGE = 'no timetable changes in a life';

/** The guards of the days on sale: rule 38. */
export const DAY_GUARDS: readonly Mutation[] = [
  ...guards(38, 'libs/catalog/src/timetable.decider.ts', days, {
    'that no day is opened again': ['const next = opened ? later(opened.last, 1) : first;', 'const next = first;'],
  }),
  ...guards(38, 'libs/catalog/src/departures.ts', 'test/scenarios/departures.spec.ts', {
    'that a day is sold once it is open': ['|| last > days.last) return null;', ') return null;'],
  }),
  ...guards(38, 'libs/catalog/src/import-catalog.ts', days, {
    'that a change spares the days that are open': [
      'later(opened.last > due ? opened.last : due, 1)',
      'dateAt(now, timeZone)',
      NO_CHANGE,
    ],
    'that it spares those that are opened soon': ['plus(now, SOON)', 'now', NO_CHANGE],
  }),
];
