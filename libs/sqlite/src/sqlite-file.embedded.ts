import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { openToRead, reader } from './open-file.embedded.js';
import type {
  Call,
  CommitListener,
  Database,
  Durability,
  Opened,
  Operations,
  Outcome,
  Program,
  WorkOrder,
  WritableFile,
  WriterData,
} from './program.embedded.js';
import { failureOf, OutcomeUnknown, StorageRefused, UnusableFile } from './sqlite.errors.js';

export interface SqliteFileOptions {
  /** Path of the file; a missing folder is created. */
  readonly file: string;
  /** The module that exports the `program`, which the writing thread imports. */
  readonly program: URL;
  readonly durability: Durability;
  /** Called once if the writer fails in such a way that only a new process can know what is on disk. By default it ends the process. */
  readonly onFatal?: (error: Error) => void;
}

interface Write extends Call {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How large (MB) the heap of a writing thread may get. None needs a tenth; unbounded, V8 would let it double first. */
const HEAP = { maxOldGenerationSizeMb: 1_024 };

/** So many writes are sent before the turn of the loop ends: the thread works on them while more are being made. */
const MANY = 16;

/** A SQLite file with a writing thread, so that flushes block no loop. Waiting writes share a transaction. */
export class SqliteFile<Writes extends Operations> implements WritableFile<Writes> {
  private waiting: Write[] = [];
  /** Sent and not answered, in the order of their answers. */
  private readonly inFlight: Write[] = [];
  private closing: Promise<void> | null = null;
  private ended: Error | null = null;

  private constructor(
    /** null: the file is open for reading alone. */
    private readonly worker: Worker | null,
    /** A read-only connection. Read with `all()` or `get()`, which leave no transaction open that would delay checkpoints. */
    readonly reader: Database,
    private readonly onFatal: (error: Error) => void,
  ) {
    worker?.on('message', (outcomes: readonly Outcome[]) => this.answer(outcomes));
    worker?.once('error', (error) => this.end(error));
    worker?.once('exit', () => this.end(null));
  }

  /** @throws UnusableFile with a message for the operator. */
  static async open<Writes extends Operations>(options: SqliteFileOptions): Promise<SqliteFile<Writes>> {
    const { file, program, durability, onFatal = endProcess } = options;
    const workerData: WriterData = { file, program: program.href, durability };
    const worker = new Worker(new URL('./writer.embedded.js', import.meta.url), { workerData, resourceLimits: HEAP });
    const [{ unusable }] = (await once(worker, 'message')) as [Opened];
    if (unusable !== null) {
      await worker.terminate();
      throw new UnusableFile(unusable);
    }
    try {
      return new SqliteFile(worker, reader(file), onFatal);
    } catch (error) {
      const exit = once(worker, 'exit');
      worker.postMessage(null); // it closes the file, and gives up its lock
      await exit;
      throw new UnusableFile(`${file} cannot be read: ${String(error)}`, { cause: error });
    }
  }

  /** Opens an existing file for reading alone, beside the process that writes to it. Every write is refused. @throws UnusableFile */
  static async openToRead<Writes extends Operations>(file: string, program: URL): Promise<SqliteFile<Writes>> {
    const loaded = (await import(program.href)) as { readonly program: Program<Operations> };
    return new SqliteFile<Writes>(null, openToRead(file, loaded.program), endProcess);
  }

  /** Runs an operation in the writer until it is durable. @throws OperationFailed, StorageRefused, OutcomeUnknown */
  async write<Name extends keyof Writes & string>(
    operation: Name,
    ...args: Parameters<Writes[Name]>
  ): Promise<ReturnType<Writes[Name]>> {
    if (!this.worker) throw new StorageRefused('the file is open for reading alone');
    if (this.closing || this.ended) throw new StorageRefused('the file is closed');
    const answer = await new Promise<unknown>((resolve, reject) => {
      this.waiting.push({ operation, args, resolve, reject });
      this.gather();
    });
    return answer as ReturnType<Writes[Name]>; // the program's own type, which the thread boundary erases
  }

  /** Begins a module's work (see `Work`) in the writing thread; returns its port. `ports`: those in `data`. */
  begin(module: URL, data: unknown, ...ports: readonly MessagePort[]): MessagePort {
    if (!this.worker) throw new StorageRefused('the file is open for reading alone');
    const { port1, port2 } = new MessageChannel();
    this.worker.postMessage({ module: module.href, port: port2, data } satisfies WorkOrder, [port2, ...ports]);
    return port1;
  }

  /** Lets the writing thread itself notify somebody of every commit, before this one hears of it. */
  notifyOfCommits(listener: CommitListener): void {
    if (!this.worker) throw new StorageRefused('the file is open for reading alone');
    this.worker.postMessage(listener, [listener.port]);
  }

  /** Finishes all writes, empties the write-ahead log into the file and releases it. */
  async close(): Promise<void> {
    if (!this.ended) await (this.closing ??= this.finish());
  }

  private async finish(): Promise<void> {
    if (this.worker) {
      const exit = once(this.worker, 'exit');
      this.send();
      this.worker.postMessage(null);
      await exit;
    }
    this.reader.close();
  }

  /** Sends the waiting writes at the end of this turn of the loop; many at once, so that the thread has begun by then. */
  private gather(): void {
    if (this.waiting.length >= MANY) this.send();
    else if (this.waiting.length === 1) setImmediate(() => this.send());
  }

  private send(): void {
    if (this.ended || this.waiting.length === 0) return;
    this.worker?.postMessage(this.waiting.map(({ operation, args }): Call => ({ operation, args })));
    this.inFlight.push(...this.waiting);
    this.waiting = [];
  }

  private answer(outcomes: readonly Outcome[]): void {
    this.inFlight.splice(0, outcomes.length).forEach(({ resolve, reject }, place) => {
      const outcome = outcomes[place];
      if (outcome?.kind === 'done') resolve(outcome.answer);
      else reject(failureOf(outcome));
    });
  }

  /** The thread has ended: as requested (null, while closing), or else with the outcome of its batch unknown. */
  private end(error: Error | null): void {
    if (this.ended) return;
    this.ended = error ?? new Error('the writing thread ended');
    for (const { reject } of this.inFlight) reject(new OutcomeUnknown('no answer', { cause: this.ended }));
    for (const { reject } of this.waiting) reject(new StorageRefused('not sent', { cause: this.ended }));
    if (!this.closing || error) this.onFatal(this.ended);
  }
}

const endProcess = (error: Error): void => {
  console.error(error);
  process.exit(1);
};
