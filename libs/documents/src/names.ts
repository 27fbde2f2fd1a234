/** A name of ours: checked against the pattern, never quoted away. */
const NAME = /^[a-z][a-zA-Z0-9-]*$/;

/** Whether a collection, a field or an index may be called this: kebab-case or camelCase. */
export const isName = (name: string): boolean => NAME.test(name);

/** @throws TypeError where the name of a collection, a field or an index is not kebab-case or camelCase. */
export const checkedName = (name: string): string => {
  if (!isName(name)) throw new TypeError(`not a name of a collection, field or index: ${JSON.stringify(name)}`);
  return name;
};
