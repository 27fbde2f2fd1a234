import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Network } from '../guarded-request.js';

/** A certificate of localhost, its addresses and two agents, valid until 2120: only tests trust it. */
export const LOCAL_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF9CLZJoAR/6g/Ez
+gBn8dKRpa5CpMY33yLoNSOD/sSxvRIg0kvBR6RluJlF2/hSvrfa++TDKvHJGc3j
uNycNAKjfzB9MEsGA1UdEQREMEKCCWxvY2FsaG9zdIcEfwAAAYcQAAAAAAAAAAAA
AAAAAAAAAYIOYWdlbnRlLmV4YW1wbGWCDW91dHJvLmV4YW1wbGUwDwYDVR0TAQH/
BAUwAwEB/zAdBgNVHQ4EFgQU1H+mBJQoCYHCcz8vT0WFXY30WvUwCgYIKoZIzj0E
AwIDRwAwRAIgLZnTnI2Yzfi/SGj/BR8hFH5LPFvyhiIV+j4ypLdSi9YCIGLojxv/
9R6w6Jwre4ztUzvig2oKuai3XVQ0Gw/0iK3F
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg//0U7dXWlK8Z4jkH
+vfmAV7arhLD/qSBD4VU37iyPbChRANCAARfQi2SaAEf+oPxM/oAZ/HSkaWuQqTG
N98i6DUjg/7Esb0SINJLwUekZbiZRdv4Ur632vvkwyrxyRnN47jcnDQC
-----END PRIVATE KEY-----`;

export interface DocumentServer {
  readonly port: number;
  readonly asked: readonly string[];
  /** How many connections reached it, also those that asked for nothing. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** `answer` writes each answer. */
export const serveDocuments = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<DocumentServer> => {
  const asked: string[] = [];
  let connections = 0;
  const server = createServer({ cert: LOCAL_CERTIFICATE, key: KEY }, (request, response) => {
    asked.push(request.url ?? '');
    response.on('error', () => undefined); // whoever asks may end at any byte
    answer(request, response);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port, // a server that listens on a port has such an address
    asked,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export const answerJson = (response: ServerResponse, body: object, headers: Readonly<Record<string, string>> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An address of the internet, at which `internetOf` puts its servers. */
export const PUBLIC_ADDRESS = '93.184.216.34';

/** An internet of hosts, each with the port of 127.0.0.1 where it really is. Their connections look as if they went out. */
export const internetOf = (ports: Readonly<Record<string, number>>): Network => {
  const hosts = Object.keys(ports);
  return {
    ca: LOCAL_CERTIFICATE,
    resolve: (host) => Promise.resolve(hosts.includes(host) ? [addressOf(hosts.indexOf(host))] : []),
    dial: ([address = '']) => {
      const host = hosts.find((_, index) => addressOf(index) === address) ?? '';
      const socket = connect(ports[host] ?? 1, '127.0.0.1');
      return Object.defineProperty(socket, 'remoteAddress', { value: address });
    },
  };
};

const addressOf = (index: number): string => PUBLIC_ADDRESS.replace(/\d+$/, (last) => String(Number(last) + index));
