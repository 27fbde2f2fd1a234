import { readFileSync } from 'node:fs';
import { InvalidConfig, SECRET_VARIABLES } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** `environment` with the secrets that files hold (`<NAME>_FILE`), but for a last end of line. @throws InvalidConfig */
export const withSecretFiles = (environment: Environment): Environment => {
  const read = SECRET_VARIABLES.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    return file === undefined ? [] : [[name, secretIn(file, name, environment)] as const];
  });
  return { ...environment, ...Object.fromEntries(read) };
};

const secretIn = (file: string, name: string, environment: Environment): string => {
  if (environment[name] !== undefined) throw new InvalidConfig(`${name}, ${name}_FILE: set one of them, not both`);
  const secret = contentOf(file, name).replace(/\r?\n$/, '');
  if (secret === '') throw new InvalidConfig(`${name}_FILE: ${file} is empty`);
  return secret;
};

const contentOf = (file: string, name: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidConfig(`${name}_FILE: ${file} cannot be read (${code ?? 'unknown'})`, { cause: error });
  }
};
