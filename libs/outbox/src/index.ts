export { EVENT_TYPES, type EventType, isEventType, typesFor } from './event-types.js';
export { EVENT_WORDS } from './event-words.js';
export { dataViewOf, EventView } from './event.view.js';
export { Outbox, type PublicEvent } from './outbox.js';
export { OutboxModule } from './outbox.module.js';
export { OUTBOX_WRITER, OutboxWriter } from './outbox-writer.thread.js';
export { cursorOf, FIRST_KEY, KEPT, keyOf, OUTBOX, type Place, positionIn, type Whose } from './places.js';
