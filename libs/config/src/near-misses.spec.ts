import { nearMisses } from './near-misses.js';
import { variables } from './variables.js';

describe('variables that are not known', () => {
  it.each([
    ['LIMIT_OPERATION', 'LIMIT_OPERATIONS'],
    ['LIMIT_PUBLIC', 'LIMIT_PUBLIC_READS'],
    ['MONGO_URL', 'MONGODB_URL'],
    ['EVENTSTORE_URI', 'EVENTSTORE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['NODE_EVN', 'NODE_ENV'],
    ['PILOT_SECRET', 'PILOT_CLIENT_SECRET'],
    ['key_encryption_key', 'KEY_ENCRYPTION_KEY'],
  ])('but nearly: %s is told, with the one that is meant (%s), and never its value', (given, meant) => {
    expect(nearMisses({ [given]: 'guardada', PORT: '1' })).toBe(
      `alcada ignores what it does not know: ${given} (is ${meant} meant?)`,
    );
  });

  it('are told in one line, all of them', () =>
    expect(nearMisses({ SITE_URI: '', LIMIT_LOGIN: '' })).toBe(
      'alcada ignores what it does not know: LIMIT_LOGIN (is LIMIT_LOGINS meant?), SITE_URI (is SITE_URL meant?)',
    ));

  it('are none of ours where they are those of other programs, of Kubernetes or of the servers', () => {
    const others =
      'HOME PATH USER HOSTNAME TERM SHELL PWD LANG MAIL LOGNAME TMPDIR TZ NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS SUPPORT ' +
      'MONGODB_SERVICE_HOST MONGODB_PORT MONGODB_PORT_27017_TCP EVENTSTORE_INSECURE EVENTSTORE_SERVICE_PORT HTTP_PROXY ' +
      'OTEL_TRACES_EXPORTER OTEL_LOG_LEVEL OTEL_EXPORTER_OTLP_TRACES_HEADERS npm_config_cache KUBERNETES_PORT DATABASE_URL';
    const names = [...others.split(' '), ...Object.keys(variables.shape), 'LIMIT_\u001b[2J'];
    expect(nearMisses(Object.fromEntries(names.map((name) => [name, 'x'])))).toBeNull();
  });
});
