/**
 * The URL at which a worker thread can load `module`, named relative to `from`, the `import.meta.url` of who asks.
 *
 * Worker threads run plain JavaScript only. Compiled code names its neighbour; under Jest, which runs the TypeScript
 * sources, the neighbour is what the build put below `dist/` (`npm test` builds first).
 */
export const compiled = (module: string, from: string): URL => {
  const { href } = new URL(module, from);
  return new URL(from.endsWith('.ts') ? href.replace(/\/(?=libs\/[^/]+\/src\/)/, '/dist/') : href);
};
