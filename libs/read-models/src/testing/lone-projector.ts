import { Projected, type ProjectorParts } from '../projected.js';
import type { Projection } from '../projection.js';
import { Projector } from '../projector.js';

export class LoneProjector extends Projected {
  private readonly projector: Projector;

  constructor(projection: Projection<object>, collection: string, parts: ProjectorParts) {
    super(projection, collection, parts.clock);
    this.projector = new Projector([this], parts);
  }

  start(): void {
    this.projector.start();
  }

  stop(): Promise<void> {
    return this.projector.stop();
  }
}
