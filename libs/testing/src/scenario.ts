import { type Decider, DomainError, type ErrorCode, fold, type Instant } from '#kernel';

/** The time of a command in a scenario that does not say its own. */
export const NOW: Instant = '2026-01-15T12:00:00.000Z';

/** given(events).when(command).then(events); each scenario also folds what `decide` returned. */
export const scenarios =
  <State, Command, Event>(decider: Decider<State, Command, Event>) =>
  (...histories: readonly (Event | readonly Event[])[]) => ({
    when: (command: Command, now: Instant = NOW) => {
      const given = histories.flat() as readonly Event[]; // no event is a list
      const decide = () => decider.decide({ ...command, now }, fold(decider, given));
      return {
        then: (...expected: readonly Event[]) => {
          expect(decide()).toEqual(expected);
          fold(decider, [...given, ...expected]);
        },
        refuses: (code: ErrorCode, details?: object) => {
          let thrown: unknown;
          try {
            decide();
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toBeInstanceOf(DomainError);
          expect(thrown).toMatchObject({ code, ...(details && { details }) });
        },
      };
    },
  });
