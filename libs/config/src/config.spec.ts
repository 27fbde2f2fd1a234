import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolders } from '#testing';
import { masked, readConfig } from './config.js';
import { InvalidConfig, SECRET_VARIABLES } from './variables.js';

const newFolder = ownFolders();
const KEY = 'ab'.repeat(32);
const SECRET = 'um-segredo-de-trinta-e-dois-sinais';
const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof InvalidConfig) return error.message;
  }
  throw new Error('nothing was refused');
};

describe('the configuration', () => {
  it('runs embedded on loopback with an empty environment', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      catalogFile: null,
      pilot: { clientId: 'alcada-pilot', secret: 'alcada-pilot-secret' },
      addresses: {
        followLoopback: true,
        urls: {
          site: 'http://127.0.0.1:3000',
          auth: 'http://127.0.0.1:3000',
          base: 'http://127.0.0.1:3000/api/v1',
        },
      },
    });
    expect(readConfig({}).travellers.map(({ email }) => email)).toEqual(['ana@example.com', 'bruno@example.com']);
  });

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', SITE_URL: '' })).toEqual(readConfig({}));
  });

  it('lets clients in that nobody registered only where everybody is on this machine, or where it is told to', () => {
    expect(readConfig({})).toMatchObject({ metadataClients: true, dynamicRegistration: true });
    const SITE_URL = 'https://voos.example';
    expect(readConfig({ SITE_URL })).toMatchObject({ metadataClients: false, dynamicRegistration: false });
    const switched = { SITE_URL, CIMD: 'on', DCR: 'on' };
    expect(readConfig(switched)).toMatchObject({ metadataClients: true, dynamicRegistration: true });
    expect(readConfig({ CIMD: 'off', DCR: 'off' })).toMatchObject({
      metadataClients: false,
      dynamicRegistration: false,
    });
  });

  it('fetches documents of others from this machine only where everybody is on it', () => {
    const local = { SITE_URL: 'http://localhost:3000', AUTH_URL: 'http://127.0.0.1:3000' };
    expect(readConfig({}).fetchesFromLoopback).toBe(true);
    expect(readConfig(local).fetchesFromLoopback).toBe(true);
    for (const name of ['SITE_URL', 'AUTH_URL', 'BASE_URL']) {
      expect(readConfig({ ...local, [name]: 'https://voos.example/api/v1' }).fetchesFromLoopback).toBe(false);
    }
  });

  it('derives the other addresses from SITE_URL, and then follows no loopback name', () => {
    const { addresses } = readConfig({ SITE_URL: 'https://voos.example', AUTH_URL: 'https://login.voos.example' });
    expect(addresses).toEqual({
      followLoopback: false,
      urls: {
        site: 'https://voos.example',
        auth: 'https://login.voos.example',
        base: 'https://voos.example/api/v1',
      },
    });
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['SITE_URL', 'voos.example'],
    ['SITE_URL', 'https://voos.example/'],
    ['BASE_URL', 'https://voos.example/api?x=1'],
    ['LOG_LEVEL', 'loud'],
    ['KEY_ENCRYPTION_KEY', 'short'],
    ['PILOT_CLIENT_ID', 'with space'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '127.0.0.1,'],
    ['MCP_ALLOWED_ORIGINS', 'https://app.example/'],
    ['MCP_ALLOWED_ORIGINS', '*'],
    ['PASSWORD_COST', '9'],
    ['REFRESH_REUSE_GRACE_SECONDS', '61'],
    ['CHARGE_SECONDS', '61'],
    ['PLAYGROUND', 'true'],
    ['EVENTSTORE_URL', 'http://localhost:2113'],
    ['EVENTSTORE_NAMESPACE', 'with.dot'],
    ['MONGODB_URL', 'localhost:27017'],
    ['MONGODB_DATABASE', 'a.b'],
    ['LIMIT_LOGIN_FAILURES', '-1'],
    ['LIMIT_PUBLIC_READS', 'many'],
    ['METRICS_PORT', 'on'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '0'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('names %s when it is %s', (name, value) => {
    expect(refusal({ [name]: value })).toContain(`${name}: `);
  });

  it('uses servers where both are named, and refuses one without the other, naming it', () => {
    const EVENTSTORE_URL = 'esdb+discover://one,two:2113';
    const MONGODB_URL = 'mongodb://db-1,db-2:27017/?replicaSet=rs0';
    expect(readConfig({}).servers).toBeNull();
    expect(readConfig({ EVENTSTORE_URL, MONGODB_URL }).servers).toEqual({
      eventStore: { url: EVENTSTORE_URL, namespace: null },
      mongodb: { url: MONGODB_URL, database: 'alcada' },
    });
    expect(refusal({ EVENTSTORE_URL })).toContain('MONGODB_URL: ');
    expect(refusal({ MONGODB_URL })).toContain('EVENTSTORE_URL: ');
  });

  it('takes the database from its own variable, or else from the address', () => {
    const EVENTSTORE_URL = 'esdb://localhost:2113';
    const MONGODB_URL = 'mongodb+srv://db.example/voos?retryWrites=true';
    expect(readConfig({ EVENTSTORE_URL, MONGODB_URL }).servers?.mongodb.database).toBe('voos');
    const MONGODB_DATABASE = 'voos-2';
    const EVENTSTORE_NAMESPACE = 'run7';
    expect(readConfig({ EVENTSTORE_URL, MONGODB_URL, MONGODB_DATABASE, EVENTSTORE_NAMESPACE }).servers).toMatchObject({
      eventStore: { namespace: 'run7' },
      mongodb: { database: 'voos-2' },
    });
  });

  it('tells what is wrong with an address without its credentials', () => {
    expect(refusal({ MONGODB_URL: 'mongo://user:guardada@db' })).not.toContain('guardada');
    for (const address of [
      'esdb://admin:guardada@node:2113?tls=true',
      'esdb+discover://admin:gua@rdada@node1,node2',
      'mongodb://user:guardada@db-1,db-2/voos?tlsCertificateKeyFilePassword=guardada',
      'cannot reach mongodb+srv://user:guardada@db.example, nor esdb://a:guardada@b',
    ])
      expect(masked(address)).not.toMatch(/guardada|rdada|user|admin/);
    expect(masked('esdb://admin:x@node:2113?tls=true')).toBe('esdb://***@node:2113?tls=true');
    const place = 'at file:///app/node_modules/@nestjs/core/router.js:1:2';
    expect(masked(place)).toBe(place);
  });

  it('trusts the proxies it is told of, and none by default', () => {
    expect(readConfig({}).trustProxy).toBeNull();
    const proxies = '127.0.0.1, 10.0.0.0/8,fd00::/8,loopback';
    expect(readConfig({ TRUST_PROXY: proxies }).trustProxy).toBe(proxies);
    expect(readConfig({ TRUST_PROXY: 'none' }).trustProxy).toBe('none');
  });

  it('lets pages of the origins it is told of call the MCP endpoint, and of none by default', () => {
    expect(readConfig({}).mcpAllowedOrigins).toEqual([]);
    const origins = 'https://app.example, http://localhost:5173';
    expect(readConfig({ MCP_ALLOWED_ORIGINS: origins }).mcpAllowedOrigins).toEqual([
      'https://app.example',
      'http://localhost:5173',
    ]);
  });

  it('requires proofs of possession only where they are asked for', () => {
    expect([readConfig({}).requiresDpop, readConfig({ DPOP: 'required' }).requiresDpop]).toEqual([false, true]);
    expect(refusal({ DPOP: 'on' })).toContain('DPOP: must be optional or required');
  });

  it('serves the playground, in production only where it is asked for', () => {
    const production = {
      NODE_ENV: 'production',
      PILOT_CLIENT_SECRET: SECRET,
      KEY_ENCRYPTION_KEY: KEY,
      TRUST_PROXY: 'none',
      DEMO_TRAVELLERS: '',
    };
    expect(readConfig({}).playground).toBe(true);
    expect(readConfig({ PLAYGROUND: 'off' }).playground).toBe(false);
    expect(readConfig(production).playground).toBe(false);
    expect(readConfig({ ...production, PLAYGROUND: 'on' }).playground).toBe(true);
  });

  it('sends mails from an address of the site, or the one that is named, and in production leads them to a named site', () => {
    const SMTP_URL = 'smtp://alcada:segredo@mail.example';
    expect(readConfig({}).mail).toBeNull();
    expect(readConfig({ SMTP_URL }).mail).toEqual({ url: SMTP_URL, from: 'nao-responda@localhost' });
    expect(readConfig({ SMTP_URL, SITE_URL: 'https://voos.example' }).mail?.from).toBe('nao-responda@voos.example');
    expect(readConfig({ SMTP_URL, MAIL_FROM: 'ola@voos.example' }).mail?.from).toBe('ola@voos.example');
    expect(refusal({ SMTP_URL: 'segredo' })).toMatch(/^SMTP_URL: must be an address such as smtps:/);
    expect(refusal({ MAIL_FROM: 'Alçada' })).toBe('MAIL_FROM: must be an e-mail address');
    expect(refusal({ NODE_ENV: 'production', SMTP_URL })).toContain('SITE_URL: required beside SMTP_URL');
  });

  it('tells nothing of itself unless it is told where to', () => {
    expect(readConfig({ OTEL_SERVICE_NAME: 'voos' }).telemetry).toEqual({ metrics: null, traces: null });
    expect(readConfig({ METRICS_PORT: '9464' }).telemetry.metrics).toEqual({ host: '127.0.0.1', port: 9464 });
  });

  it('sends traces where, how and as OpenTelemetry’s variables say', () => {
    const traces = (more: Record<string, string>) =>
      readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...more }).telemetry.traces;
    expect(traces({})).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      timeout: 10_000,
      service: null,
      resource: {},
      share: 1,
    });
    expect(
      traces({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/otlp',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team = voos',
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
        OTEL_SERVICE_NAME: 'voos',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=produ%C3%A7%C3%A3o',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toEqual({
      url: 'https://traces.example/otlp',
      headers: { authorization: 'Bearer a=b', 'x-team': 'voos' },
      timeout: 500,
      service: 'voos',
      resource: { 'deployment.environment.name': 'produção' },
      share: 0.25,
    });
    expect(traces({ OTEL_TRACES_SAMPLER: 'always_off', OTEL_TRACES_SAMPLER_ARG: '1' })?.share).toBe(0);
    expect(traces({ OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  it.each(['prod', 'Production', 'staging'])(
    'refuses NODE_ENV=%s, which would leave production unguarded',
    (NODE_ENV) => {
      expect(refusal({ NODE_ENV })).toBe('NODE_ENV: must be production, development or test');
    },
  );

  it('refuses every default secret and account in production, naming each', () => {
    const message = refusal({ NODE_ENV: 'production' });
    for (const name of ['PILOT_CLIENT_SECRET', 'DEMO_TRAVELLERS', 'KEY_ENCRYPTION_KEY', 'TRUST_PROXY'])
      expect(message).toContain(`${name}: `);
    expect(refusal({ NODE_ENV: 'production', PASSWORD_COST: '12' })).toContain('PASSWORD_COST: ');
    const good = { NODE_ENV: 'production', PILOT_CLIENT_SECRET: SECRET, KEY_ENCRYPTION_KEY: KEY, TRUST_PROXY: 'none' };
    expect(readConfig({ ...good, DEMO_TRAVELLERS: '' }).travellers).toEqual([]);
    const servers = {
      DEMO_TRAVELLERS: '',
      EVENTSTORE_URL: 'esdb://localhost:2113',
      MONGODB_URL: 'mongodb://localhost',
    };
    expect(refusal({ ...good, ...servers })).toContain('EVENTSTORE_NAMESPACE: ');
    const answered = readConfig({ ...good, ...servers, EVENTSTORE_NAMESPACE: 'none' });
    expect(answered.servers?.eventStore.namespace).toBeNull();
    expect(readConfig({ ...good, DEMO_PASSWORD: 'another one still' }).travellers).toHaveLength(2);
  });

  it.each([
    ['PILOT_CLIENT_SECRET', 'x'],
    ['PILOT_CLIENT_SECRET', 'x'.repeat(31)],
    ['DEMO_PASSWORD', 'senha'],
    ['DEMO_PASSWORD', 'x'.repeat(11)],
    ['SITE_URL', 'http://voos.example'],
    ['AUTH_URL', 'http://10.0.0.1:3000'],
    ['BASE_URL', 'http://localhost.example/api/v1'],
  ])('refuses %s in production when it is %s, and not elsewhere', (name, value) => {
    const good = { PILOT_CLIENT_SECRET: SECRET, KEY_ENCRYPTION_KEY: KEY, DEMO_PASSWORD: 'another one still' };
    const said = refusal({ NODE_ENV: 'production', ...good, [name]: value });
    expect(said).toContain(`${name}: `);
    expect(said).not.toContain(value.length > 20 ? value : 'segredo');
    expect(readConfig({ ...good, [name]: value }).production).toBe(false);
  });

  it.each(['https://voos.example', 'http://localhost:8080', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'accepts %s for an address in production',
    (SITE_URL) => {
      const good = { PILOT_CLIENT_SECRET: SECRET, KEY_ENCRYPTION_KEY: KEY, DEMO_TRAVELLERS: '' };
      expect(readConfig({ NODE_ENV: 'production', TRUST_PROXY: 'none', ...good, SITE_URL }).addresses.urls.site).toBe(
        SITE_URL,
      );
    },
  );

  it('knows the key-encryption key and the one before, which is nothing alone', () => {
    const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
    const KEY_ENCRYPTION_KEY_PREVIOUS = 'cd'.repeat(32);
    expect(readConfig({}).keyEncryptionKeys).toEqual([]);
    expect(readConfig({ KEY_ENCRYPTION_KEY: KEY, KEY_ENCRYPTION_KEY_PREVIOUS }).keyEncryptionKeys).toEqual([
      bytes(KEY),
      bytes(KEY_ENCRYPTION_KEY_PREVIOUS),
    ]);
    expect(refusal({ KEY_ENCRYPTION_KEY_PREVIOUS })).toContain('KEY_ENCRYPTION_KEY: ');
  });
});

describe('a secret in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  const file = (content: string): string => {
    writeFileSync(join(folder, 'secret'), content);
    return join(folder, 'secret');
  };

  it.each(['', '\n', '\r\n'])('is read, without the end of line that an editor leaves (%j)', (end) => {
    expect(readConfig({ PILOT_CLIENT_SECRET_FILE: file(` guardado \n${end}`) }).pilot.secret).toBe(
      end === '' ? ' guardado ' : ' guardado \n',
    );
    expect(readConfig({ KEY_ENCRYPTION_KEY_FILE: file(`${KEY}${end}`) }).keyEncryptionKeys).toHaveLength(1);
  });

  it.each(SECRET_VARIABLES)('may be given for %s, and not beside it', (name) => {
    const said = refusal({ [name]: 'guardado', [`${name}_FILE`]: file('guardado') });
    expect(said).toBe(`${name}, ${name}_FILE: set one of them, not both`);
  });

  it('stops the start where it cannot be read, is empty or is wrong, and is not told', () => {
    expect(refusal({ DEMO_PASSWORD_FILE: join(folder, 'nowhere') })).toMatch(/^DEMO_PASSWORD_FILE: .*nowhere.*ENOENT/);
    expect(refusal({ DEMO_PASSWORD_FILE: folder })).toContain('EISDIR');
    expect(refusal({ DEMO_PASSWORD_FILE: file('\n') })).toContain('is empty');
    const said = refusal({ MONGODB_URL_FILE: file('mongo://user:guardada@db') });
    expect(said).toContain('MONGODB_URL: ');
    expect(said).not.toContain('guardada');
  });
});
