import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#config';
import { STOP_LIMIT } from '#kernel';
import {
  COMPOSE_FILES,
  composeOf,
  composePrograms,
  dockerfile,
  imageEnvironment,
  kubernetesFiles,
  kubernetesPrograms,
  kustomization,
  PROGRAMS,
  resources,
} from './programs.js';

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}
const { version, engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

/** Every variable of the program (`libs/config` compares .env.example with its own). */
const VARIABLES = [...readFileSync('.env.example', 'utf8').matchAll(/^(\w+)=/gm)].map(([, name]) => name);

/** What the files of secrets may hold. */
const SECRETS = new Map([
  ['KEY_ENCRYPTION_KEY_FILE', '5a'.repeat(32)],
  ['PILOT_CLIENT_SECRET_FILE', 'c7'.repeat(32)],
  ['EVENTSTORE_URL_FILE', 'esdb+discover://alcada:c7c7c7c7@one,two,three:2113'],
  ['MONGODB_URL_FILE', 'mongodb://alcada:c7c7c7c7@one,two,three/alcada?replicaSet=rs0'],
]);
const folder = mkdtempSync(join(tmpdir(), 'alcada-test-'));
for (const [name, secret] of SECRETS) writeFileSync(join(folder, name), `${secret}\n`);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What the program makes of the variables of a container, with secrets in the files that they name. */
const configOf = (environment: Readonly<Record<string, string>>) =>
  readConfig(
    Object.fromEntries(
      Object.entries({ ...imageEnvironment, ...environment }).map(([name, value]) => [
        name,
        SECRETS.has(name) ? join(folder, name) : value,
      ]),
    ),
  );

const DEVELOPMENT = 'docker-compose.yml';
const named = PROGRAMS.map((program) => [program.name, program] as const);
const inProduction = named.filter(([name]) => !name.startsWith(DEVELOPMENT));

describe('the image', () => {
  it('is a slim Node LTS, given in full, which package.json admits because a suite runs on it (`test:node24`)', () => {
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-\w+-slim$/m.exec(dockerfile) ?? [];
    expect(Number(major) % 2).toBe(0);
    expect(engines.node.split(' || ')).toContain(`^${major}.0.0`);
    expect(scripts).toHaveProperty(`test:node${major}`);
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)).toEqual(Array(2).fill('${NODE_IMAGE}'));
  });

  it('is for production, and without a configuration refuses to start', () => {
    expect(imageEnvironment).toMatchObject({ NODE_ENV: 'production' });
    expect(() => readConfig(imageEnvironment)).toThrow('refused in production');
  });

  it('runs as a user by number, whom Kubernetes can tell from root', () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  it('is built once for everybody, and bears the version of the program', () => {
    const builds = COMPOSE_FILES.flatMap((path) => Object.values(composeOf(path)).filter(({ build }) => build));
    expect(builds).toHaveLength(1);
    expect(new Set(PROGRAMS.map(({ image }) => image))).toEqual(new Set([`alcada:${version}`]));
  });
});

describe.each(named)('%s', (_, { environment, command, grace, hasSecret }) => {
  it('sets variables that the program has, to what it takes', () => {
    expect(Object.keys(environment).filter((name) => !VARIABLES.includes(name))).toEqual([]);
    expect(() => configOf(environment)).not.toThrow();
  });

  it('runs what the build makes', () => {
    const [main = 'dist/apps/api/src/main.js'] = command?.filter((part) => part.startsWith('dist/')) ?? [];
    expect(existsSync(main.replace(/^dist\/(.*)\.js$/, '$1.ts'))).toBe(true);
  });

  it('has more time to stop than it takes', () => {
    expect(grace * 1_000).toBeGreaterThanOrEqual(STOP_LIMIT + 1_000);
  });

  it('names files of secrets that are mounted', () => {
    const files = Object.entries(environment).filter(([name]) => SECRETS.has(name));
    expect(files.filter(([, path]) => !hasSecret(path))).toEqual([]);
  });
});

describe.each(inProduction)('%s, in production,', (_, { environment }) => {
  it('has what production requires, and a proxy to be told by', () => {
    const { production, addresses, trustProxy, keyEncryptionKeys } = configOf(environment);
    expect({ production, trustProxy }).toEqual({ production: true, trustProxy: 'uniquelocal' });
    expect(addresses.urls.site).toMatch(/^https:/);
    expect(keyEncryptionKeys).toHaveLength(1);
  });

  it('is told no secret but in a file', () => {
    expect([...SECRETS.keys()].filter((name) => environment[name.replace(/_FILE$/, '')])).toEqual([]);
  });
});

describe.each(COMPOSE_FILES)('each service of the program in %s', (path) => {
  const programs = composePrograms(path);

  it('can change nothing but its volume, has no privileges, and bounded resources', () => {
    for (const { service } of programs)
      expect(service).toMatchObject({
        init: true,
        read_only: true,
        volumes: expect.arrayContaining(['/tmp']), // where an audit folds anew
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        deploy: { resources: { limits: { memory: '1G', pids: 256 } } },
      });
  });

  it('is started again after a reboot where it is to last, and else not for ever', () => {
    const lasting = path === 'deploy/compose.yml' ? /^unless-stopped$/ : /^(no|on-failure:\d)$/;
    for (const { service } of programs) expect(service.restart ?? 'no').toMatch(service.profiles ? /^no$/ : lasting);
  });

  it('is where the proxy looks for it', () => {
    const { proxy, ...services } = composeOf(path);
    for (const upstream of (proxy?.environment['UPSTREAMS'] ?? '').split(' ')) {
      const [name = '', port] = upstream.split(':');
      const api = services[name];
      expect(configOf(api?.environment ?? {}).port).toBe(Number(port));
      expect(api?.command).toBeUndefined();
    }
  });
});

describe('the proxy', () => {
  it('sends what comes with one token to one process', () => {
    expect(readFileSync('deploy/caddy/Caddyfile', 'utf8')).toMatch(/^\s*lb_policy header Authorization$/m);
  });

  it('keeps no idle connection for as long as the API does', () => {
    const [, seconds] = /^\s*keepalive (\d+)s$/m.exec(readFileSync('deploy/caddy/Caddyfile', 'utf8')) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(readConfig({}).connections.idleTimeout);
  });
});

describe('the manifests of Kubernetes', () => {
  it('are all applied', () => {
    expect([...kustomization.resources].sort()).toEqual([...kubernetesFiles].sort());
  });

  it.each(kubernetesPrograms.map((program) => [program.name, program] as const))(
    '%s: restricted, probed, replaced one by one, on the ports of the program',
    (_, { deployment, container, environment }) => {
      expect(deployment.spec).toMatchObject({
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
          },
        },
      });
      expect(container).toMatchObject({
        startupProbe: {},
        livenessProbe: {},
        resources: { requests: {}, limits: { memory: '1Gi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: expect.arrayContaining([expect.objectContaining({ mountPath: '/tmp' })]),
      });
      const { port, telemetry } = configOf(environment);
      const ports: Readonly<Record<string, number | undefined>> = { http: port, metrics: telemetry.metrics?.port };
      for (const { name, containerPort } of container.ports) expect(containerPort).toBe(ports[name]);
    },
  );

  it('select pods and name ports that there are', () => {
    const components = kubernetesPrograms.map(
      ({ deployment }) => deployment.spec.template.metadata.labels['app.kubernetes.io/component'],
    );
    const ports = kubernetesPrograms.flatMap(({ container }) => container.ports.map(({ name }) => name));
    for (const { spec } of resources.filter(({ kind }) => kind !== 'Namespace' && kind !== 'Ingress')) {
      const labels = spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector ?? {};
      for (const component of Object.values(labels)) expect(components).toContain(component);
      const named = [
        ...(spec.ports ?? []).map(({ targetPort }) => targetPort),
        ...(spec.ingress ?? []).flatMap(({ ports: admitted }) => admitted.map(({ port }) => port)),
      ];
      for (const name of named) expect(ports).toContain(name);
    }
  });

  it('have a disruption budget for each deployment', () => {
    const names = (kind: string) => resources.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
    expect(names('PodDisruptionBudget')).toEqual(names('Deployment'));
  });

  it('are reached by the name that links have', () => {
    const [ingress] = resources.filter(({ kind }) => kind === 'Ingress');
    const [api] = kubernetesPrograms;
    expect(`https://${ingress?.spec.rules?.[0]?.host ?? ''}`).toBe(api?.environment['SITE_URL']);
  });
});
