import type { EventStoreDBClient } from '@eventstore/db-client';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import messages from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Connection, Line } from './connection.eventstoredb.js';

const { LEADER, MANAGER } = messages.MemberInfo.VNodeState;
/** For how long (ms) after an append its node is relied on: who misses a leader in silence waits longer before an election. */
const RELIED_ON = 500;
/** How long (ms) a node may take to say who leads. */
const PATIENCE = 250;

/**
 * Whether the node that answered a read leads, in a cluster. One that stood still or was cut off while the others
 * elected takes itself for the leader yet, and its log lacks what its successor has taken (ADR 0036).
 */
export class Leadership {
  /** By node: when an append that it took was sent, by the monotonic clock. */
  private readonly tookAt = new Map<string, number>();
  /** Lines to nodes, to ask each who leads. */
  private readonly lines = new Map<string, Line>();
  private isClosed = false;

  constructor(private readonly connection: Connection) {}

  /** Notes that a node took an append: enough others followed it when that was sent (ms, monotonic). */
  took(node: string, sentAt: number): void {
    this.tookAt.set(node, Math.max(sentAt, this.tookAt.get(node) ?? 0));
  }

  /** Asked after a read. 'unknown': the others say nothing, or not the same. @throws the errors of gRPC, where the node itself does not answer */
  async leads(line: Line, node: string): Promise<'yes' | 'no' | 'unknown'> {
    if (performance.now() - (this.tookAt.get(node) ?? -Infinity) < RELIED_ON) return 'yes';
    const members = await membersKnownTo(line.client);
    if (members.length <= 1) return 'yes';
    const alive = members.filter((one) => one.getIsAlive() && addressOf(one) !== node).map(addressOf);
    // Twice, since no word may come in time where this process had no turn.
    const leaders = (await this.namedBy(alive)) ?? (await this.namedBy(alive)) ?? [];
    const others = leaders.filter((one) => one !== node);
    if (others.length === leaders.length) return leaders.length === 0 ? 'unknown' : 'no';
    return others.length === 0 ? 'yes' : 'unknown';
  }

  close(): void {
    this.isClosed = true;
    for (const line of this.lines.values()) line.end();
  }

  /** Who leads, as each of these nodes knows it; null: none of them says. */
  private async namedBy(nodes: readonly string[]): Promise<readonly string[] | null> {
    const views = await Promise.all(nodes.map((one) => this.membersKnownAt(one)));
    const leaders = views.flat().filter((one) => one.getState() === LEADER && one.getIsAlive());
    return leaders.length === 0 ? null : leaders.map(addressOf);
  }

  /** What a node knows; nothing where it does not answer, and then it is asked on another line the next time. */
  private async membersKnownAt(node: string): Promise<readonly MemberInfo[]> {
    if (this.isClosed) return [];
    try {
      const line = this.lines.get(node) ?? this.connection.to(node);
      this.lines.set(node, line);
      return await membersKnownTo(line.client);
    } catch {
      this.lines.get(node)?.end();
      this.lines.delete(node);
      return [];
    }
  }
}

/** The nodes of its cluster, as the one knows them that a client is connected to. */
const membersKnownTo = (client: EventStoreDBClient): Promise<readonly MemberInfo[]> =>
  client['execute'](
    gossip.GossipClient,
    'read',
    (server) =>
      new Promise<readonly MemberInfo[]>((resolve, reject) => {
        const [metadata, options] = client['callArguments']({ deadline: PATIENCE });
        server.read(new shared.Empty(), metadata, options, (error, known) => {
          if (error) reject(error);
          else resolve(known.getMembersList().filter((one) => one.getState() !== MANAGER));
        });
      }),
  );

const addressOf = (member: MemberInfo): string => {
  const { address = '', port = 0 } = member.getHttpEndPoint()?.toObject() ?? {};
  return `${address}:${port}`;
};
