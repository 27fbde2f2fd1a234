import type { Tool } from '../tool.js';
import { BOOKING_TOOLS } from './bookings.tools.js';
import { FLIGHT_TOOLS } from './flights.tools.js';
import { MANDATE_TOOLS } from './mandates.tools.js';
import { ORDER_TOOLS } from './orders.tools.js';

/** The one table of tools, in the order of a purchase: every channel and every text about tools is made from it. */
export const TOOLS: readonly Tool[] = [...FLIGHT_TOOLS, ...BOOKING_TOOLS, ...MANDATE_TOOLS, ...ORDER_TOOLS];

const BY_NAME: ReadonlyMap<unknown, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The tool of a name as it was sent, if there is one: a `Map` knows no `__proto__` and no `constructor`. */
export const toolNamed = (name: unknown): Tool | undefined => BY_NAME.get(name);
