import { type Conditions, DEFAULT_CONDITIONS } from '#events';
import type { ConditionsView } from '#http';
import { conditionsText } from '#site';

const views = new WeakMap<Conditions, ConditionsView>();

/** Conditions as the interface shows them, with the words for them. Absent: those of a fare that says none. */
export const conditionsView = (conditions: Conditions = DEFAULT_CONDITIONS): ConditionsView => {
  const view = views.get(conditions) ?? { ...conditions, description: conditionsText(conditions) };
  views.set(conditions, view);
  return view;
};
