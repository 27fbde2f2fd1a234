export * from './purchase-story.js';
export * from './test-log.js';
export * from './vectors.js';
export { EVENT_FORMS, type Form, INNER_FORMS, KNOWN_FROM, type Members } from '../rules/event-forms.js';
