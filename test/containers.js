/** `npm run test:containers`: the tests against servers in containers of their own. Without Docker it says that it is skipped. */
import process from 'node:process';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { againstServers } from './against-servers.js';

const isThereDocker = () =>
  getContainerRuntimeClient().then(
    () => true,
    () => false,
  );

const startEventStore = () =>
  new GenericContainer('eventstore/eventstore:23.10.1-jammy')
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_RUN_PROJECTIONS: 'None', EVENTSTORE_CLUSTER_SIZE: '1' })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .start();

const startMongo = async () => {
  const container = await new GenericContainer('mongo:7.0.28-jammy')
    .withCommand(['mongod', '--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forLogMessage('Waiting for connections'))
    .start();
  const script =
    "rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] }); while (!db.hello().isWritablePrimary) sleep(100)";
  const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', script]);
  if (exitCode !== 0) throw new Error(`the replica set could not be made: ${output}`);
  return container;
};

if (!(await isThereDocker())) process.stderr.write('test:containers: skipped, there is no Docker here\n');
else {
  const [events, documents] = await Promise.all([startEventStore(), startMongo()]);
  try {
    process.exitCode = againstServers({
      EVENTSTORE_URL: `esdb://${events.getHost()}:${events.getMappedPort(2113)}?tls=false`,
      MONGODB_URL: `mongodb://${documents.getHost()}:${documents.getMappedPort(27017)}/?directConnection=true`,
    });
  } finally {
    await Promise.all([events.stop(), documents.stop()]);
  }
}
