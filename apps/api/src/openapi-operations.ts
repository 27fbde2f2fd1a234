import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export const eachOperation = (
  document: OpenAPIObject,
  change: (operation: Operation, method: Method) => Operation,
): OpenAPIObject => {
  const changed = (item: PathItem): PathItem => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, change(operation, method)] as const] : [];
    });
    return { ...item, ...Object.fromEntries(operations) };
  };
  const paths = Object.entries(document.paths).map(([path, item]) => [path, changed(item)] as const);
  return { ...document, paths: Object.fromEntries(paths) };
};
