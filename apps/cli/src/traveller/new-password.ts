import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** Where readline echoes what is typed: nowhere. */
const silence = new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * A new password: asked for twice on the terminal, without showing it, or the first line of standard input where that is
 * none. Never an argument, which every process of the machine could read.
 *
 * @throws Error for the operator, where none came or the two are not the same
 */
export const newPassword = async (): Promise<string> => {
  const { stdin, stderr } = process;
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY });
  try {
    if (!stdin.isTTY) return await nextLine(lines);
    stderr.write('Password: ');
    const password = await nextLine(lines);
    stderr.write('\nOnce more: ');
    const again = await nextLine(lines);
    stderr.write('\n');
    if (again !== password) throw new Error('the two passwords are not the same');
    return password;
  } finally {
    lines.close();
  }
};

const nextLine = (lines: Interface): Promise<string> =>
  new Promise((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(new Error('no password came')));
  });
