import { PassThrough } from 'node:stream';
import code from '@eventstore/db-client/generated/code_pb.js';
import messages, { type ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { AppendLine } from './append-line.eventstoredb.js';
import { Connection, type Line, namesCluster } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import { Leadership } from './leadership.eventstoredb.js';
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
  const opened: string[] = [];
  const lineTo = (node: string): Line => {
    opened.push(node);
    const gossip = (_: unknown, __: unknown, ___: unknown, told: Told) => {
      asked.push(node);
      const known = words[node];
      if (known) told(null, known);
      else told(new Error('deadline exceeded'));
    };
    const read = () => Object.assign(new PassThrough({ objectMode: true }).end(), { cancel: () => undefined });
    const server = { read, getChannel: () => ({ getTarget: () => `dns:${node}` }) };
    const client = {
      callArguments: () => [],
      execute: (_: unknown, __: string, action: (server: object) => Promise<unknown>) => action({ read: gossip }),
      GRPCStreamCreator: (_: unknown, __: string, call: (one: typeof server) => PassThrough) => () =>
        Promise.resolve(call(server)),
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
  return { asked, renewed, opened, words, leadership, reads, line: connection.line };
};

describe('a node that answered a read', () => {
  it('leads if the others say so, whoever led before and is dead', async () => {
    const { leadership, line } = clusterOf({ 'a:1': knownTo('a:1'), 'b:2': knownTo('a:1', 'c:3') });
    expect(await leadership.leads(line, 'a:1')).toBe('yes');
  });

  it.each([
    ['no', 'all who say anything name another', { 'b:2': knownTo('b:2') }],
    ['unknown', 'one of them names another', { 'b:2': knownTo('a:1'), 'c:3': knownTo('c:3') }],
    ['unknown', 'none of them answers', {}],
    ['unknown', 'none of them knows who leads', { 'b:2': knownTo(''), 'c:3': knownTo('', 'a:1') }],
  ])('%s: %s', async (leads, _, others) => {
    const { leadership, line } = clusterOf({ 'a:1': knownTo('a:1'), ...others });
    expect(await leadership.leads(line, 'a:1')).toBe(leads);
  });

  it('needs nobody’s word just after it took an append, and another one does', async () => {
    const { leadership, line, asked } = clusterOf({ 'a:1': knownTo('a:1') });
    leadership.took('a:1', performance.now());
    expect(await leadership.leads(line, 'a:1')).toBe('yes');
    expect(asked).toEqual([]);
    expect(await leadership.leads(line, 'b:2')).toBe('no');
  });

  it('is not held up by one that it takes for dead, and does not lead where it takes all others for dead', async () => {
    const { leadership, line, asked } = clusterOf({ 'a:1': knownTo('a:1', 'c:3'), 'b:2': knownTo('a:1', 'c:3') });
    expect(await leadership.leads(line, 'a:1')).toBe('yes');
    expect(asked).toEqual(['a:1', 'b:2']);
    const alone = clusterOf({ 'a:1': knownTo('a:1') });
    for (const member of alone.words['a:1']?.getMembersList() ?? []) member.setIsAlive(false);
    expect(await alone.leadership.leads(alone.line, 'a:1')).toBe('unknown');
  });

  it('is asked about on another line where one was silent', async () => {
    const { leadership, line, opened, words } = clusterOf({ 'a:1': knownTo('a:1') });
    expect(await leadership.leads(line, 'a:1')).toBe('unknown');
    words['b:2'] = knownTo('a:1');
    expect(await leadership.leads(line, 'a:1')).toBe('yes');
    expect(opened.filter((node) => node === 'b:2')).toHaveLength(3); // it is asked twice where nobody says anything
  });

  it('is left for another line where another leads, and not where nobody says anything', async () => {
    const moved = clusterOf({ 'a:1': knownTo('a:1'), 'b:2': knownTo('b:2'), 'c:3': knownTo('b:2') });
    expect(await all(moved.reads.stream('order-1', 0))).toEqual([]);
    expect(moved.renewed).toEqual([moved.line]);
    const silent = clusterOf({ 'a:1': knownTo('a:1') });
    await expect(all(silent.reads.stream('order-1', 0))).rejects.toBeInstanceOf(StoreUnavailable);
    expect(silent.renewed).toEqual([]);
  });

  it('is not asked for where the cluster has no other, nor once the log is closed', async () => {
    const one = clusterOf({ 'a:1': new Cluster().setMembersList(knownTo('a:1').getMembersList().slice(0, 1)) });
    expect(await one.leadership.leads(one.line, 'a:1')).toBe('yes');
    const closed = clusterOf({ 'a:1': knownTo('a:1'), 'b:2': knownTo('a:1') });
    closed.leadership.close();
    expect(await closed.leadership.leads(closed.line, 'a:1')).toBe('unknown');
    expect(closed.opened).toEqual(['a:1']);
  });
});

it('an append that was taken is proof for its node, of the time when it was sent, and a conflict is none', async () => {
  const call = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => undefined });
  const answers: BatchAppendResp[] = [];
  call.write = (request: BatchAppendReq) => {
    const answer = answers.shift()?.setCorrelationId(request.getCorrelationId());
    setImmediate(() => call.emit('data', answer));
    return true;
  };
  const server = { batchAppend: () => call, getChannel: () => ({ getTarget: () => 'dns:a:1' }) };
  const client = {
    callArguments: () => [],
    GRPCStreamCreator: (_: unknown, __: string, open: (one: typeof server) => PassThrough) => () =>
      Promise.resolve(open(server)),
  };
  const took: (readonly [string, number])[] = [];
  const leadership = { took: (...one: readonly [string, number]) => took.push(one) } as unknown as Leadership;
  const connection = { line: { client }, renew: () => undefined } as unknown as Connection;
  const line = new AppendLine(connection, 1_000, leadership);
  const { Success } = streams.BatchAppendResp;
  answers.push(new streams.BatchAppendResp().setSuccess(new Success().setCurrentRevision('0')));
  answers.push(new streams.BatchAppendResp().setError(new status.Status().setCode(code.Code.FAILED_PRECONDITION)));
  const before = performance.now();
  await line.send('order-1', -1, []);
  await expect(line.send('order-1', -1, [])).rejects.toBeInstanceOf(Error);
  expect(took).toEqual([['a:1', expect.any(Number)]]);
  expect(took[0]?.[1]).toBeGreaterThanOrEqual(before);
});

describe('the URL of a cluster', () => {
  it.each([
    ['esdb://a:1,b:2?tls=false', true],
    ['esdb://u:p@a:1,b:2', true],
    ['esdb://u:a/b@a:1,b:2', true],
    ['esdb+discover://cluster.example:2113', true],
    ['esdb://a:1?nodePreference=leader&x=1,2', false],
    ['esdb://u:p,w@a:1', false],
  ])('%s: %s', (url, isOfCluster) => expect(namesCluster(url)).toBe(isOfCluster));

  it.each(['esdb://u:a/b@127.0.0.1:9,127.0.0.1:9', 'esdb+discover://127.0.0.1:9'])(
    'leads to each node: %s',
    async (url) => {
      const connection = new Connection(`${url}?tls=false&maxDiscoverAttempts=1&discoveryInterval=1`);
      const line = connection.to('c:3');
      expect((await line.client['getChannel']()).getTarget()).toBe('dns:c:3');
      line.end();
      connection.close();
    },
  );
});
