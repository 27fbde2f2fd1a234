import { AppendLine } from './append-line.eventstoredb.js';
import { Connection } from './connection.eventstoredb.js';

/** A line whose calls are begun and never open, as on a server that answers nobody. */
const openLine = () => {
  const connection = new Connection('esdb://127.0.0.1:9?tls=false');
  let opened = 0;
  Object.defineProperty(connection.line.client, 'GRPCStreamCreator', {
    value: () => () => {
      opened += 1;
      return new Promise(() => undefined);
    },
  });
  const line = new AppendLine(connection, 5);
  const send = () => line.send('order-1', -1, []).catch((error: unknown) => error);
  return { send, opened: () => opened, close: () => connection.close() };
};

it('who gives up a call that never opened leaves the one that another has put in its place', async () => {
  const { send, opened, close } = openLine();
  const [first, second] = [send(), send()];
  expect(await first).toMatchObject({ name: 'StoreUnavailable' });
  const third = send(); // before the second one gives up
  expect(await second).toMatchObject({ name: 'StoreUnavailable' });
  const fourth = send();
  expect(opened()).toBe(2);
  await Promise.all([third, fourth]);
  close();
});
