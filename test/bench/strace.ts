/** One system call of a traced process. Times: seconds since 1970. */
export interface Call {
  readonly name: string;
  /** The file it is about, or what strace says of its socket. */
  readonly file: string;
  /** Its arguments, shortened. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LINE = /^(?<thread>\d+)\s+(?<time>\d+\.\d+) (?<rest>.*)$/;
const BEGUN = /^(?<name>\w+)\(\d+<(?<file>[^>]*)>(?<text>.*)$/;
const RESUMED = /^<\.\.\. \w+ resumed>/;

/** The calls in the output of `strace -f -y -ttt -T`, by their beginning. */
export const readTrace = (output: string): readonly Call[] => {
  const calls: Call[] = [];
  const unfinished = new Map<string, Omit<Call, 'end'>>();
  for (const line of output.split('\n')) {
    const { thread = '', time = '0', rest = '' } = LINE.exec(line)?.groups ?? {};
    const now = Number(time);
    const begun = BEGUN.exec(rest)?.groups;
    if (begun) {
      const call = { name: begun['name'] ?? '', file: begun['file'] ?? '', text: begun['text'] ?? '', start: now };
      if (rest.endsWith('<unfinished ...>')) unfinished.set(thread, call);
      else calls.push({ ...call, end: now + took(rest) });
    } else if (RESUMED.test(rest)) {
      const call = unfinished.get(thread);
      if (call) calls.push({ ...call, end: now });
      unfinished.delete(thread);
    }
  }
  return calls.sort((one, other) => one.start - other.start);
};

/** What `strace -T` says a call took, in seconds. */
const took = (rest: string): number => Number(/<(\d+\.\d+)>$/.exec(rest)?.[1] ?? 0);
