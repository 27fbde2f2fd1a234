import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

export interface Program {
  readonly name: string;
  readonly image: string;
  /** The command in place of the image's; undefined: none. */
  readonly command: readonly string[] | undefined;
  /** Beside what the image sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a file is one of the secrets that are mounted. */
  readonly hasSecret: (path: string) => boolean;
  /** Seconds from the signal to stop until it is killed. */
  readonly grace: number;
}

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly restart?: string;
  /** Where there are some, it is run by hand alone. */
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: 'http' | 'metrics' };
}

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe?: Probe;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    /** Of a Service the labels themselves. */
    readonly selector?: Labels & { readonly matchLabels?: Labels };
    readonly podSelector?: { readonly matchLabels?: Labels };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly rules?: readonly { readonly host: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
      };
    };
  };
}

const read = (path: string): string => readFileSync(path, 'utf8');

/** `NAME=value` by name. */
const pairs = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

/** What compose makes of `${NAME:-default}`; a name that has to be given is an example. */
const interpolated = (text: string): string =>
  text.replace(/\$\{\w+(?::([-?])([^}]*))?\}/g, (_, kind: string | undefined, standard: string) =>
    kind === '-' ? standard : 'voos.example',
  );

export const COMPOSE_FILES = ['docker-compose.yml', 'deploy/compose.yml'] as const;

export const composeOf = (path: string): Readonly<Record<string, ComposeService>> =>
  (parse(interpolated(read(path)), { merge: true }) as { readonly services: Record<string, ComposeService> }).services;

export const composePrograms = (path: string): readonly (Program & { readonly service: ComposeService })[] =>
  Object.entries(composeOf(path))
    .filter(([, { image }]) => image.startsWith('alcada'))
    .map(([name, service]) => ({
      name: `${path} ${name}`,
      service,
      image: service.image,
      command: service.command,
      environment: service.environment,
      hasSecret: (file) => (service.secrets ?? []).some((secret) => file === `/run/secrets/${secret}`),
      grace: Number.parseInt(service.stop_grace_period ?? '10', 10),
    }));

const KUBERNETES = 'deploy/kubernetes';
const KUSTOMIZATION = 'kustomization.yaml';

/** What kustomize makes of the other files of its folder. */
export const kustomization = parse(read(`${KUBERNETES}/${KUSTOMIZATION}`)) as {
  readonly resources: readonly string[];
  readonly images: readonly [{ readonly name: string; readonly newName: string; readonly newTag: string }];
  readonly configMapGenerator: readonly [{ readonly literals: readonly string[] }];
};
export const kubernetesFiles = readdirSync(KUBERNETES).filter((name) => name !== KUSTOMIZATION);
export const resources: readonly Resource[] = kustomization.resources.flatMap((name) =>
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  parseAllDocuments(read(`${KUBERNETES}/${name}`), { version: '1.1' }).map((one) => one.toJS() as Resource),
);

/** The deployments, each of one container of the program. */
export const kubernetesPrograms: readonly (Program & {
  readonly deployment: Resource;
  readonly container: Container;
})[] = resources
  .filter(({ kind }) => kind === 'Deployment')
  .map((deployment) => {
    const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
    const [container] = containers;
    const { images, configMapGenerator } = kustomization;
    const [, wait = '0'] = container.lifecycle?.preStop.exec.command ?? [];
    return {
      name: `kubernetes ${deployment.metadata.name}`,
      deployment,
      container,
      image: container.image.replace(images[0].name, `${images[0].newName}:${images[0].newTag}`),
      command: container.command,
      environment: pairs(configMapGenerator[0].literals),
      hasSecret: (file) => container.volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)),
      grace: terminationGracePeriodSeconds - Number(wait),
    };
  });

export const PROGRAMS: readonly Program[] = [...COMPOSE_FILES.flatMap(composePrograms), ...kubernetesPrograms];

export const dockerfile = read('Dockerfile');
export const imageEnvironment = pairs(
  [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' ')),
);
