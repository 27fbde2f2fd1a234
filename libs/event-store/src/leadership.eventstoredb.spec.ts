import { PassThrough } from 'node:stream';
import messages, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { Connection, type Line, namesCluster } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import { Leadership, nodeAt } from './leadership.eventstoredb.js';
import { Reads } from './reads.eventstoredb.js';
import { all } from './testing/sample-events.js';

const { ClusterInfo: Cluster, EndPoint, MemberInfo } = messages;
const { LEADER, FOLLOWER } = MemberInfo.VNodeState;
const NODES = ['a:1', 'b:2', 'c:3'];

type Told = (error: Error | null, known?: ClusterInfo) => void;

/** What a node tells: who leads, and who it takes for dead. */
const knownTo = (leader: string, dead?: string): ClusterInfo =>
  new Cluster().setMembersList(
    NODES.map((node) => {
      const [address = '', port] = node.split(':');
      return new MemberInfo()
        .setHttpEndPoint(new EndPoint().setAddress(address).setPort(Number(port)))
        .setState(node === leader || node === dead ? LEADER : FOLLOWER)
        .setIsAlive(node !== dead);
    }),
  );

/** A cluster in which each node says this about who leads; a node without a word does not answer. */
const clusterOf = (words: Record<string, ClusterInfo>) => {
  const asked: string[] = [];
  const renewed: Line[] = [];
  const lineTo = (node: string): Line => {
    const read = (_: unknown, __: unknown, ___: unknown, told: Told) => {
      asked.push(node);
      const known = words[node];
      if (known) told(null, known);
      else told(new Error('deadline exceeded'));
    };
    const stream = () => Object.assign(new PassThrough({ objectMode: true }).end(), { cancel: () => undefined });
    const client = {
      callArguments: () => [],
      execute: (_: unknown, __: string, action: (server: object) => Promise<unknown>) => action({ read }),
      getChannel: () => Promise.resolve({ getTarget: () => `dns:${node}` }),
      GRPCStreamCreator: (_: unknown, __: string, call: (server: object) => PassThrough) => () =>
        Promise.resolve(call({ read: stream })),
    };
    return { client, end: () => undefined, isOver: () => renewed.length > 0 && node === 'a:1' } as unknown as Line;
  };
  const connection = {
    line: lineTo('a:1'),
    to: lineTo,
    renew: (line: Line) => {
      renewed.push(line);
      connection.line = lineTo('b:2');
      words['a:1'] = knownTo('b:2'); // it has learned it meanwhile
    },
  };
  const leadership = new Leadership(connection as unknown as Connection);
  const reads = new Reads(connection as unknown as Connection, 1_000, leadership);
  return { asked, renewed, leadership, reads, line: connection.line };
};

describe('a node that answered a read', () => {
  it('leads if the others say so, whoever led before and is dead', async () => {
    const { leadership, line } = clusterOf({ 'a:1': knownTo('a:1'), 'b:2': knownTo('a:1', 'c:3') });
    await expect(leadership.confirm(line, 'a:1')).resolves.toBeUndefined();
  });

  it.each([
    ['another leads for one of them', { 'b:2': knownTo('a:1'), 'c:3': knownTo('c:3') }],
    ['none of them answers', {}],
    ['none of them knows who leads', { 'b:2': knownTo(''), 'c:3': knownTo('', 'a:1') }],
  ])('is not relied on where %s', async (_, others) => {
    const { leadership, line } = clusterOf({ 'a:1': knownTo('a:1'), ...others });
    await expect(leadership.confirm(line, 'a:1')).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('needs nobody’s word just after it took an append, and another one does', async () => {
    const { leadership, line, asked } = clusterOf({ 'a:1': knownTo('a:1') });
    leadership.took('a:1', performance.now());
    await leadership.confirm(line, 'a:1');
    expect(asked).toEqual([]);
    await expect(leadership.confirm(line, 'b:2')).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('is asked again on another line where it leads no more', async () => {
    const words = { 'a:1': knownTo('a:1'), 'b:2': knownTo('b:2'), 'c:3': knownTo('b:2') };
    const { reads, renewed, line } = clusterOf(words);
    expect(await all(reads.stream('order-1', 0))).toEqual([]);
    expect(renewed).toEqual([line]);
  });
});

describe('the URL of a cluster', () => {
  it.each([
    ['esdb://a:1,b:2?tls=false', true],
    ['esdb://u:p@a:1,b:2', true],
    ['esdb+discover://cluster.example:2113', true],
    ['esdb://a:1?nodePreference=leader&x=1,2', false],
  ])('%s: %s', (url, isOfCluster) => expect(namesCluster(url)).toBe(isOfCluster));

  it.each(['esdb://u:p@127.0.0.1:9,127.0.0.1:9', 'esdb+discover://127.0.0.1:9'])(
    'leads to each node: %s',
    async (url) => {
      const connection = new Connection(`${url}?tls=false&maxDiscoverAttempts=1&discoveryInterval=1`);
      const line = connection.to('c:3');
      expect(await nodeAt(line)).toBe('c:3');
      line.end();
      connection.close();
    },
  );
});
