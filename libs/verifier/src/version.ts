/** The versions of bundles, by what their first lines say: each is for ever what docs/audit-format.md says of it. */
const FORMATS = {
  'alcada.bundle/v1': 1,
  'alcada.bundle/v2': 2,
  'alcada.bundle/v3': 3,
  'alcada.bundle/v4': 4,
} as const;

/** What the first line of a bundle says it is. */
export type BundleFormat = keyof typeof FORMATS;
export type Version = (typeof FORMATS)[BundleFormat];

/** The version that is written, and by which a whole log is judged. */
export const NEWEST = 4 satisfies Version;
/** Its first line. */
export const BUNDLE_FORMAT: BundleFormat = 'alcada.bundle/v4';

export const VERSIONS: readonly Version[] = Object.values(FORMATS);

export const isBundleFormat = (value: unknown): value is BundleFormat =>
  typeof value === 'string' && Object.hasOwn(FORMATS, value);

export const versionOf = (format: BundleFormat): Version => FORMATS[format];
