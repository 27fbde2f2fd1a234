import { UnusableDatabase } from '#documents';
import { UnusableUrl } from '#event-store';
import { VERSION } from './version.js';
import { operatorMessage, saidTo } from './run-process.js';

describe('a process of the service', () => {
  it('names the variable of a server whose address cannot be used', () => {
    expect(operatorMessage(new UnusableUrl('it cannot be read'))).toBe('EVENTSTORE_URL: it cannot be read');
    expect(operatorMessage(new UnusableDatabase('it cannot be read'))).toBe('MONGODB_URL: it cannot be read');
  });

  it('names the host that has no address, and the address that is not ours', () => {
    const unknown = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere.invalid' };
    expect(operatorMessage(unknown)).toBe('nowhere.invalid has no address that is known here; set HOST (METRICS_HOST)');
    expect(operatorMessage({ code: 'EADDRNOTAVAIL', syscall: 'listen', address: '192.0.2.1' })).toBe(
      '192.0.2.1 is not an address of this machine; set HOST (METRICS_HOST)',
    );
  });

  it('says its version and its usage, and nothing where it is given no argument', () => {
    expect(saidTo(['--version'])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    expect(VERSION).toMatch(/^\d+\.\d+\.\d+/);
    expect(saidTo(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('environment variables') });
    expect(saidTo([])).toBeNull();
  });

  it.each(['--port', '--bogus', 'serve'])('does not start with an argument that it does not know (%s)', (argument) => {
    const said = saidTo([argument, '4000']);
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said?.stderr).toMatch(new RegExp(`^alcada cannot start: it takes no argument ${argument}\\n`));
  });
});
