import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ended } from '../server.js';

interface Program {
  /** The first line it printed. */
  readonly said: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Starts a peer's program, and waits for the first line that it prints; `input` goes to its standard input. */
export const startProgram = async (file: string, args: readonly string[], input: string): Promise<Program> => {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  for (;;) {
    const [said, ...more] = out.split('\n');
    if (said !== undefined && more.length > 0) return { said, pid: child.pid ?? 0, stop: () => ended(child) };
    if (child.exitCode !== null) throw new Error(`${file} ended:\n${out}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
};
