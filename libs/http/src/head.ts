import type { FastifyReply } from 'fastify';

/** Headers as Node takes them in one piece: names and values by turns. */
export type Head = readonly string[];

/** Sets these headers on an answer that is yet to be made. */
export const setHead = (reply: FastifyReply, head: Head): void => {
  for (let place = 0; place < head.length; place += 2) void reply.header(head[place] ?? '', head[place + 1]);
};
