/** What reports and pages show where a person's data have been erased (docs/operations.md, Erasing a person). */
export const ERASED = '[apagado]';
