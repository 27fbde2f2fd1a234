import { BlockList, isIPv4, isIPv6 } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const listOf = (family: Family, ...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
};

/** What the registry of special-purpose IPv4 addresses (RFC 6890) keeps from the internet, with multicast and the rest. */
const NOT_PUBLIC_V4 = listOf(
  'ipv4',
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by the customers of a carrier
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
);

/** Global unicast. Outside lie loopback, `::ffff:` (IPv4 in IPv6), NAT64, unique local, link-local and multicast. */
const UNICAST_V6 = listOf('ipv6', '2000::/3');
const NOT_PUBLIC_V6 = listOf(
  'ipv6',
  '2001::/23', // protocol assignments, with Teredo, which carries an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an IPv4 address
  '3fff::/20', // documentation
);

const LOOPBACK_V4 = listOf('ipv4', '127.0.0.0/8');

/** Whether an IP address is one of the internet, which anybody can reach. False for whatever is no address. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !NOT_PUBLIC_V4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return UNICAST_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6');
};

export const isLoopbackAddress = (address: string): boolean =>
  isIPv4(address) ? LOOPBACK_V4.check(address, 'ipv4') : address === '::1';
