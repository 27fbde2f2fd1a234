import { IsDefined } from 'class-validator';
import { answers } from '#http';

/** In a change, null is no value of any field: `invalid_change`, before the field's own form (docs/decisions.md, Booking). */
export const NotNull = () => IsDefined(answers('invalid_change', 'não pode ser nulo'));
