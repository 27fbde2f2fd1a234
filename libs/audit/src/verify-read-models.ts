import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments, type ReadModelStore } from '#documents';
import type { EventStore, Position } from '#event-store';
import type { Clock } from '#kernel';
import { compareWithFold, type Projection } from '#read-models';
import type { Breach } from '#verifier';

export interface ReadModelsReport {
  /** Up to where the log was folded; null: no read model was ever built. */
  readonly upTo: Position | null;
  /** How long (ms) it took. */
  readonly took: number;
  /** Documents that were compared, and those that were newer. */
  readonly compared: number;
  readonly newer: number;
  readonly breaches: readonly Breach[];
}

/** Folds the log again, in a file that is deleted afterwards, and compares every document of the read models with that. */
export const verifyReadModels = async (
  projections: readonly Projection<object>[],
  {
    events,
    readModelStore: store,
    clock,
  }: { readonly events: EventStore; readonly readModelStore: ReadModelStore; readonly clock: Clock },
  onProgress: (done: number) => void,
): Promise<ReadModelsReport> => {
  const began = clock.monotonic();
  const folder = await mkdtemp(join(tmpdir(), 'alcada-audit-'));
  try {
    const fresh = await EmbeddedDocuments.open({ file: join(folder, 'read-models.db'), durability: 'normal', clock });
    const found = await compareWithFold(projections, { events, store, fresh }, onProgress).finally(() => fresh.close());
    const models = found?.readModels ?? [];
    const ahead = found?.ahead ?? null;
    const cut: readonly Breach[] = ahead
      ? [
          {
            rule: 'cut',
            stream: `${ahead.readModel}/${ahead.id}`,
            revision: null,
            message: `it was made of the event at position ${Number(ahead.position)}, and the log ends at ${Number(ahead.end)}: its tail was cut`,
          },
        ]
      : [];
    return {
      upTo: found?.upTo ?? null,
      took: clock.monotonic() - began,
      compared: models.reduce((sum, { compared }) => sum + compared, 0),
      newer: models.reduce((sum, { newer }) => sum + newer, 0),
      breaches: [
        ...cut,
        ...models.flatMap(({ wrong }) =>
          wrong.map(({ readModel, id, message }) => ({
            rule: 'read-model',
            stream: `${readModel}/${id}`,
            revision: null,
            message,
          })),
        ),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
