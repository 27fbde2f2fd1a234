import { z } from 'zod';
import { Collection, type CollectionSpec, type Documents } from '#documents';
import { type Clock, millisecondsOf } from '#kernel';
import { isQuorum, type Policy, type TreeRoot } from '#verifier';

/** What witnesses have cosigned. It cannot be rebuilt: a witness cosigns a tree once. */
export const TLOG_COSIGNATURES: CollectionSpec = { name: 'tlog-cosignatures', indexes: [] };

const ID = 'cosigned';
/** How long (ms) a tree with enough witnesses is shown while newer ones have none, before these are shown without. */
const SHOWN_FOR = 10_000;
/** How long (ms) a tree that was shown without them stays: so that a tree that they are offered then is no smaller. */
const ALONE_FOR = 3_000;

const cosignedTree = z.object({
  size: z.number(),
  root: z.base64(),
  at: z.string(),
  lines: z.array(z.object({ witness: z.string(), line: z.string() })),
});
type CosignedTree = z.infer<typeof cosignedTree>;

/** `alone`: the newest one that was shown though witnesses were missing; absent: none was. */
const storedTrees = z.object({
  newest: cosignedTree,
  /** The newest one that as many witnesses have cosigned as the policy asks for. */
  enough: cosignedTree.nullable(),
  alone: cosignedTree.omit({ lines: true }).optional(),
});

export interface WitnessedTree extends TreeRoot {
  readonly lines: string;
}

/** The cosignatures of the log's trees: each line is stored beside its tree as it arrives. */
export class Cosignatures {
  private readonly stored: Collection<z.infer<typeof storedTrees>>;

  constructor(
    documents: Documents,
    readonly policy: Policy,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, TLOG_COSIGNATURES, storedTrees);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Stores the line of a witness, by its name in the policy, for a tree. A tree older than the newest one is let go. */
  async add({ size, root }: TreeRoot, at: string, witness: string, line: string): Promise<void> {
    const tree = { size, root: Buffer.from(root).toString('base64'), at, lines: [{ witness, line }] };
    await this.stored.update(ID, (trees) => {
      if (trees && trees.newest.size > size) return null;
      const newest = isSameTree(trees?.newest, tree) && trees ? joined(trees.newest, tree) : tree;
      const isEnough = isQuorum(
        this.policy,
        newest.lines.map((one) => one.witness),
      );
      return { ...trees, newest, enough: isEnough ? newest : (trees?.enough ?? null) };
    });
  }

  /** The tree to show: the newest that is cosigned, without witnesses for ten seconds the head; never smaller than before. */
  async shown(head: TreeRoot): Promise<WitnessedTree> {
    const trees = (await this.stored.get(ID))?.body;
    const { enough, alone } = trees ?? {};
    const isBack = enough && alone && enough.size < alone.size;
    if (
      enough &&
      !isBack &&
      enough.size <= head.size &&
      (enough.size === head.size || this.isWithin(SHOWN_FOR, enough))
    )
      return asShown(enough);
    const own = { size: head.size, root: Buffer.from(head.root).toString('base64'), at: this.clock.now() };
    const isKept = alone && (alone.size === head.size || (alone.size < head.size && this.isWithin(ALONE_FOR, alone)));
    const tree = isKept ? alone : own;
    if (!isKept) await this.showAlone(own);
    const lines = trees && isSameTree(trees.newest, tree) ? trees.newest.lines : [];
    return asShown({ ...tree, lines });
  }

  private async showAlone(tree: Omit<CosignedTree, 'lines'>): Promise<void> {
    await this.stored.update(ID, (trees) => {
      if (!trees) return { newest: { ...tree, lines: [] }, enough: null, alone: tree };
      return (trees.alone?.size ?? 0) >= tree.size ? null : { ...trees, alone: tree };
    });
  }

  private isWithin(milliseconds: number, { at }: Pick<CosignedTree, 'at'>): boolean {
    return millisecondsOf(this.clock.now()) - millisecondsOf(at) < milliseconds;
  }
}

const isSameTree = (
  one: Pick<CosignedTree, 'size' | 'root'> | undefined,
  other: Pick<CosignedTree, 'size' | 'root'>,
): boolean => one?.size === other.size && one.root === other.root;

/** A witness that cosigns again replaces what it said before. */
const joined = (tree: CosignedTree, { lines: added }: CosignedTree): CosignedTree => ({
  ...tree,
  lines: [...tree.lines.filter(({ witness }) => added.every((one) => one.witness !== witness)), ...added],
});

const asShown = ({ size, root, lines }: CosignedTree): WitnessedTree => ({
  size,
  root: Buffer.from(root, 'base64'),
  lines: lines.map(({ line }) => line).join(''),
});
