/**
 * The service, which dies of SIGKILL at one step: `node killed-at.js before|after <call>`, the environment as for the
 * service. Calls: `append <event types joined by +>`, and `insert`, `replace` or `delete <collection>`.
 */
import process from 'node:process';
import { readConfig } from '#config';
import { banner } from '../../dist/apps/api/src/banner.js';
import { createLogger, openEmbeddedPorts } from '../../dist/libs/runtime/src/index.js';
import { startApi } from '../../dist/apps/api/src/start.js';

const [, , when, call] = process.argv;

/** Kills this process; nothing happens after that. */
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

/** A port whose process dies at the call. `nameOf`: how a method's call is called. */
const mortal = (port, nameOf) =>
  new Proxy(port, {
    get: (target, method) => {
      if (typeof target[method] !== 'function') return target[method];
      return (...args) => {
        if (nameOf(method, args) !== call) return target[method](...args);
        return when === 'before' ? die() : target[method](...args).finally(die);
      };
    },
  });

const appended = (method, [, , events]) => `${method} ${events?.map(({ type }) => type).join('+')}`;
const written = (method, [collection]) => `${method} ${collection}`;

const config = readConfig();
const api = await startApi(config, createLogger(config.logLevel), async () => {
  const ports = await openEmbeddedPorts(config);
  return { ...ports, events: mortal(ports.events, appended), documents: mortal(ports.documents, written) };
});
process.stderr.write(banner(config, api.origin));
