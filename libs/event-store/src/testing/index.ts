export { countedEvents } from './counted-events.js';
export { hostOf, through } from './event-store-server.js';
export { UnreliableStore } from './unreliable-store.js';
export { sample } from './sample-events.js';
export { MemoryEventStore } from './memory-event-store.js';
