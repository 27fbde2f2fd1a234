import { VERSION } from './version.js';
import { saidTo } from './run-process.js';

describe('a process of the service', () => {
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
