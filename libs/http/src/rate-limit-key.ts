import { isIP } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** Where a request comes from: `ip` as the trusted proxies tell, the socket's other end as it is. */
interface Origin {
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address a request counts under where something is limited by address; null: under none.
 *
 * An IPv6 address counts as its /64, since whoever has one has all of them. A loopback address counts as nobody's where
 * no proxy is trusted: everyone behind a proxy on this machine would share it, and each could lock out the others
 * (docs/decisions.md, Limits).
 */
export const rateLimitKey = ({ ip, socket }: Origin, isProxyTrusted: boolean): string | null => {
  // What a trusted proxy says is no address at all counts as the proxy's own.
  const told = isIP(ip) ? ip : (socket.remoteAddress ?? '');
  const address = MAPPED.exec(told)?.[1] ?? told;
  if (!isIP(address) || (!isProxyTrusted && LOOPBACK.test(address))) return null;
  return isIP(address) === 4 ? address : networkOf(address);
};

/** The /64 an IPv6 address lies in, in one spelling. */
const networkOf = (address: string): string => {
  const [withoutZone = ''] = address.split('%', 1);
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
};
