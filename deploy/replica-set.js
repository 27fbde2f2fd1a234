// Run by mongosh against one node: makes it a replica set of its own, once, and waits until it is the primary.
/* global db, rs, sleep, quit, print */
const NOT_YET_INITIALIZED = 94;

try {
  rs.status();
} catch (error) {
  if (error.code !== NOT_YET_INITIALIZED) throw error;
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
}
for (let tries = 0; !db.hello().isWritablePrimary; tries += 1) {
  if (tries === 120) {
    print('the replica set has no primary after a minute');
    quit(1);
  }
  sleep(500);
}
