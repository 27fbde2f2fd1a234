import type { Api } from '#agent';
import type { RunningApi } from '../../apps/api/src/start.js';
import { agentAt, apiAt, BRUNO } from './agent.js';
import { type Environment, OTHER_AGENT, registerOtherAgent } from './service.js';
import { ServiceOnFiles, ServiceUnderTest } from './service-under-test.js';

/** The service that the cases of one file test, with one traveller and one agent. */
export class SmallSetting {
  protected readonly agents = new Map<string, Api>();

  constructor(
    environment: Environment = {},
    private readonly tested = new ServiceUnderTest(environment),
  ) {
    beforeAll(() => this.letIn());
  }

  get service(): RunningApi {
    return this.tested.service;
  }

  get origin(): string {
    return this.tested.origin;
  }

  /** The pilot agent, let in by Ana for a whole purchase. */
  get ana(): Api {
    return this.agent('ana');
  }

  get anyone(): Api {
    return apiAt(this.origin);
  }

  protected async letIn(): Promise<void> {
    this.agents.set('ana', await agentAt(this.origin));
  }

  protected agent(name: string): Api {
    const agent = this.agents.get(name);
    if (!agent) throw new Error('the agents are let in before the first case');
    return agent;
  }
}

/** The same with those who have nothing to do with that agent. */
export class Setting extends SmallSetting {
  /** The pilot agent, let in by Bruno. */
  get bruno(): Api {
    return this.agent('bruno');
  }

  /** Another agent, let in by Ana. */
  get otherOfAna(): Api {
    return this.agent('otherOfAna');
  }

  protected override async letIn(): Promise<void> {
    await registerOtherAgent(this.service);
    await super.letIn();
    this.agents.set('bruno', await agentAt(this.origin, { traveller: BRUNO }));
    this.agents.set('otherOfAna', await agentAt(this.origin, { client: OTHER_AGENT }));
  }
}

/** One whose service writes to the files of a folder. */
export class SettingOnFiles extends Setting {
  constructor(
    environment: Environment = {},
    private readonly onFiles = new ServiceOnFiles(environment),
  ) {
    super(environment, onFiles);
  }

  get folder(): string {
    return this.onFiles.folder;
  }
}
