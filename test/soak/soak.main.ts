import { connections } from './connections.js';

/** `npm run soak -- connections [kind]`: many connections. Prints figures; asserts none of them. */
const [name = '', argument = ''] = process.argv.slice(2);
if (name === 'connections') await connections(argument);
