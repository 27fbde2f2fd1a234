import { afterAll, beforeAll } from '@jest/globals';
import type { RunningApi } from '../../apps/api/src/start.js';
import { type Environment, newFolder, removeFolder, startService } from './service.js';

/** The service that the cases of one file test, in a folder of its own. It runs from before the first until after the last. */
export class ServiceUnderTest {
  private opened: { readonly folder: string; service: RunningApi } | null = null;

  constructor(private readonly environment: Environment = {}) {
    beforeAll(async () => {
      const folder = await newFolder();
      this.opened = { folder, service: await startService(folder, environment) };
    });
    afterAll(async () => {
      await this.opened?.service.stop();
      if (this.opened) await removeFolder(this.opened.folder);
    });
  }

  get folder(): string {
    return this.current.folder;
  }

  get service(): RunningApi {
    return this.current.service;
  }

  get origin(): string {
    return this.service.origin;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Starts it again on what it wrote, after `stop`. */
  async start(environment: Environment = this.environment): Promise<void> {
    this.current.service = await startService(this.folder, environment);
  }

  private get current() {
    if (!this.opened) throw new Error('the service runs while the cases do');
    return this.opened;
  }
}
