/** What the writing thread is told at its start. */
export interface WriterData {
  readonly file: string;
  /** URL of the module that exports the `program`. */
  readonly program: string;
  readonly durability: Durability;
}

/** `full`: an answered write survives a power cut; `normal`: it survives the end of the process, and the file stays sound. */
export type Durability = 'full' | 'normal';

/** One operation and its arguments. */
export interface Call {
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** What came of a call. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
  | { readonly kind: 'refused'; readonly message: string };

/** The writing thread's first word; after it, an `Outcome[]` for every `Call[]`, and the end for null. */
export type Opened = { readonly unusable: string | null };
