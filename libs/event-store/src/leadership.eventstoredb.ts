import type { EventStoreDBClient } from '@eventstore/db-client';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import type { MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import messages from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Connection, Line } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';

const { LEADER } = messages.MemberInfo.VNodeState;
/** For how long (ms) after an append it is relied on that its node leads: the others miss it for longer before they elect. */
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

  constructor(private readonly connection: Connection) {}

  /** Notes that a node took an append: enough others followed it when that was sent (ms, monotonic). */
  took(node: string, sentAt: number): void {
    this.tookAt.set(node, Math.max(sentAt, this.tookAt.get(node) ?? 0));
  }

  /** Asked after a read: whoever was elected before it is known by now. @throws StoreUnavailable where another node leads, or none agrees */
  async confirm(line: Line, node: string): Promise<void> {
    if (performance.now() - (this.tookAt.get(node) ?? -Infinity) < RELIED_ON) return;
    const others = (await membersKnownTo(line.client)).map(addressOf).filter((one) => one !== node);
    if (others.length === 0) return;
    const views = await Promise.allSettled(others.map((one) => membersKnownTo(this.lineTo(one).client)));
    const leaders = views.flatMap((view) => (view.status === 'fulfilled' ? view.value.filter(isLeading) : []));
    const another = leaders.map(addressOf).find((one) => one !== node);
    if (leaders.length > 0 && another === undefined) return;
    const why = another === undefined ? `no other node says that ${node} leads` : `${another} leads, and not ${node}`;
    throw new StoreUnavailable(`the event store cannot be read: ${why}`);
  }

  close(): void {
    for (const line of this.lines.values()) line.end();
  }

  private lineTo(node: string): Line {
    const line = this.lines.get(node) ?? this.connection.to(node);
    this.lines.set(node, line);
    return line;
  }
}

/** The node that a line goes to, as `host:port`. */
export const nodeAt = async ({ client }: Line): Promise<string> =>
  (await client['getChannel']()).getTarget().replace(/^dns:/, '');

/** What the node that a client is connected to knows of all that it ever heard of. */
const membersKnownTo = (client: EventStoreDBClient): Promise<readonly MemberInfo[]> =>
  client['execute'](
    gossip.GossipClient,
    'read',
    (server) =>
      new Promise<readonly MemberInfo[]>((resolve, reject) => {
        const [metadata, options] = client['callArguments']({ deadline: PATIENCE });
        server.read(new shared.Empty(), metadata, options, (error, known) => {
          if (error) reject(error);
          else resolve(known.getMembersList());
        });
      }),
  );

const addressOf = (member: MemberInfo): string => {
  const { address = '', port = 0 } = member.getHttpEndPoint()?.toObject() ?? {};
  return `${address}:${port}`;
};

const isLeading = (member: MemberInfo): boolean => member.getState() === LEADER && member.getIsAlive();
