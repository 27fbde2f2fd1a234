import { DomainError } from '#kernel';

/** Deepest nesting of a body. No body of ours has more than three levels; thousands would overflow who walks it. */
const MAX_DEPTH = 32;

/**
 * A JSON body. An empty one is no body, whatever its content type. Prototype keys are dropped wherever they stand.
 *
 * @throws DomainError `malformed_json`
 */
export const parseJson = (body: string): unknown => {
  if (body === '') return undefined;
  if (depthOf(body) > MAX_DEPTH) throw new DomainError('malformed_json');
  try {
    return JSON.parse(body, (key, value: unknown) =>
      key === '__proto__' || key === 'constructor' ? undefined : value,
    );
  } catch (error) {
    throw new DomainError('malformed_json', undefined, { cause: error });
  }
};

/** How deep the brackets of a JSON text nest, those inside its strings left out. */
const depthOf = (text: string): number => {
  const brackets = text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/[[\]{}]/g) ?? [];
  let [depth, deepest] = [0, 0];
  for (const bracket of brackets) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};
