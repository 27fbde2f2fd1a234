import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { tellNotGiven, ownFolders } from '#testing';
import { ServiceUnderTest } from '../support/service-under-test.js';
import { stayEmbedded } from '../support/stores.js';
import { dockerfile, kubernetesPrograms } from './programs.js';

const newFolder = ownFolders();
stayEmbedded('it compares files with the names that one process has');

interface Rules {
  readonly groups: readonly [{ readonly rules: readonly { readonly alert: string; readonly expr: string }[] }];
}
interface Dashboard {
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly panels: readonly {
    readonly gridPos: Readonly<Record<'x' | 'y', number>>;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const read = (path: string): string => readFileSync(path, 'utf8');
const { groups } = parse(read('deploy/prometheus/alcada.rules.yml')) as Rules;
const { rules } = groups[0];
const dashboard = JSON.parse(read('deploy/grafana/alcada.json')) as Dashboard;
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const expressions = [...rules.map(({ expr }) => expr), ...shown];
const alerts = rules.map(({ alert }) => alert);

const tested = new ServiceUnderTest({ METRICS_PORT: '0' });
let metrics: string;
beforeAll(async () => {
  const port = tested.service.dependencies.telemetry?.metricsPort ?? 0;
  metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});

describe('what watches a deployment', () => {
  it('asks for metrics that the program has', () => {
    const types = new Map(
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const samples = [...types].flatMap(([name, type]) =>
      type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name],
    );
    const asked = expressions.flatMap((text) => text.match(/\b(?:alcada|process|nodejs)_\w+/g) ?? []);
    expect(asked.length).toBeGreaterThan(expressions.length);
    expect(asked.filter((name) => !samples.includes(name))).toEqual([]);
  });

  it('by labels that docs/observability.md gives each', () => {
    const described = new Map(
      [...read('docs/observability.md').matchAll(/^\| `(alcada_\w+)`\s*\| ([^|]*)\|/gm)].map(
        ([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)],
      ),
    );
    const selectors = expressions.flatMap((text) => [...text.matchAll(/(alcada_\w+?)(?:_count|_bucket)?\{([^}]*)\}/g)]);
    expect(selectors.length).toBeGreaterThan(5);
    for (const [, name = '', matchers = ''] of selectors)
      for (const [, label] of matchers.matchAll(/(\w+)[=!]/g)) expect(described.get(name)).toContain(label);
  });

  it('probes paths that answer', async () => {
    const port = {
      http: tested.origin,
      metrics: `http://127.0.0.1:${tested.service.dependencies.telemetry?.metricsPort ?? 0}`,
    };
    const probes = kubernetesPrograms.flatMap(({ container: { startupProbe, livenessProbe, readinessProbe } }) =>
      [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => (probe ? [probe.httpGet] : [])),
    );
    const paths = [
      ...probes.map(({ path, port: name }) => port[name] + path),
      ...[...dockerfile.matchAll(/\}(\/api\/[\w/]+)`/g)].map(([, path = '']) => port.http + path),
      ...[...read('deploy/caddy/Caddyfile').matchAll(/health_uri (\S+)/g)].map(([, path = '']) => port.http + path),
      ...[...read('docker-compose.yml').matchAll(/:9464(\/\w+)/g)].map(([, path = '']) => port.metrics + path),
    ];
    expect(paths).toHaveLength(8);
    for (const path of paths) expect([path, (await fetch(path)).status]).toEqual([path, 200]);
  });

  it('calls jobs as the pods are labelled', () => {
    const jobs = kubernetesPrograms.map(
      ({ deployment }) => `alcada-${deployment.spec.template.metadata.labels['app.kubernetes.io/component'] ?? ''}`,
    );
    const asked = expressions.flatMap((text) => [...text.matchAll(/job="([^"]+)"/g)].map(([, job]) => job));
    expect(jobs).toEqual(expect.arrayContaining(asked));
    expect(read('deploy/prometheus/prometheus.yml')).toContain('replacement: alcada-$1');
  });

  it('says of each alert what to do', () => {
    const [, runbook = ''] = /\n## Alerts\n(.*?)\n## /s.exec(read('docs/operations.md')) ?? [];
    expect([...runbook.matchAll(/^- `(\w+)`: /gm)].map(([, name]) => name)).toEqual(alerts);
  });

  it('tries each alert', () => {
    const tried = read('deploy/prometheus/alcada.rules.test.yml').match(/(?<=alertname=")\w+/g) ?? [];
    expect([...new Set(tried)].sort()).toEqual([...alerts].sort());
  });

  it('shows panels beside one another', () => {
    expect(new Set(dashboard.panels.map(({ gridPos: { x, y } }) => `${x},${y}`)).size).toBe(dashboard.panels.length);
  });
});

const { PROMTOOL = '' } = process.env;
if (PROMTOOL === '') tellNotGiven('the rules of Prometheus', 'PROMTOOL');

(PROMTOOL === '' ? describe.skip : describe)('promtool', () => {
  const promtool = (...args: string[]): string => execFileSync(PROMTOOL, args, { encoding: 'utf8' });

  it('finds no fault in the rules, and they call when they should', () => {
    expect(promtool('check', 'rules', 'deploy/prometheus/alcada.rules.yml')).toContain(`${alerts.length} rules found`);
    expect(promtool('test', 'rules', 'deploy/prometheus/alcada.rules.test.yml')).toContain('SUCCESS');
  });

  it('understands what the dashboard asks', () => {
    const own = newFolder();
    const path = join(own, 'dashboard.json');
    const asked = shown.map((expr, at) => ({ record: `panel:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: asked }] }));
    expect(promtool('check', 'rules', path)).toContain(`${shown.length} rules found`);
  });
});
