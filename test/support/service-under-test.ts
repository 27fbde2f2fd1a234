import type { RunningApi } from '../../apps/api/src/start.js';
import { type Environment, newFolder, removeFolder, startService, startServiceInMemory } from './service.js';

/** The service that the cases of one file test. It runs from before the first until after the last. */
export class ServiceUnderTest {
  protected running: RunningApi | null = null;

  constructor(environment: Environment = {}) {
    beforeAll(async () => {
      this.running = await this.started(environment);
    });
    afterAll(() => this.running?.stop());
  }

  get service(): RunningApi {
    if (!this.running) throw new Error('the service runs while the cases do');
    return this.running;
  }

  get origin(): string {
    return this.service.origin;
  }

  protected started(environment: Environment): Promise<RunningApi> {
    return startServiceInMemory(environment);
  }
}

/** The same on files, in a folder of its own. */
export class ServiceOnFiles extends ServiceUnderTest {
  private made: string | null = null;

  constructor(private readonly environment: Environment = {}) {
    super(environment);
    afterAll(() => (this.made === null ? undefined : removeFolder(this.made)));
  }

  get folder(): string {
    if (this.made === null) throw new Error('the service runs while the cases do');
    return this.made;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Starts it again on what it wrote, after `stop`. */
  async start(environment: Environment = this.environment): Promise<void> {
    this.running = await this.started(environment);
  }

  protected override async started(environment: Environment): Promise<RunningApi> {
    this.made ??= await newFolder();
    return startService(this.made, environment);
  }
}
