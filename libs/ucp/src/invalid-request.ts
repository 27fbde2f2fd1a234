import { z } from 'zod';
import { UcpError } from './ucp-error.js';

/** What is wrong with a request, for people, and where: `path` is of RFC 9535. */
interface Mistake {
  readonly path: string;
  readonly content: string;
}

const [CODE, SEVERITY] = ['invalid_request', 'recoverable'] as const;
/** How many mistakes are named. */
const MOST = 10;
const { localeError } = z.locales.ptBR();
const mistakeIn: z.core.$ZodErrorMap = (issue) => (issue.input === undefined ? 'É obrigatório.' : localeError(issue));

/** The refusal of a request of a wrong form. */
export const invalidRequest = (...mistakes: readonly Mistake[]): UcpError => {
  const all = mistakes.map(({ path, content }) => `${path}: ${content}`).join('; ');
  return new UcpError(400, CODE, `A requisição é inválida: ${all}`, {
    severity: SEVERITY,
    messages: mistakes.map((mistake) => ({ type: 'error', code: CODE, severity: SEVERITY, ...mistake })),
  });
};

/** An input as its schema has it; members that the schema does not name are left out. @throws UcpError `invalid_request` */
export const parsedAs = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(input, { error: mistakeIn });
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.slice(0, MOST);
  throw invalidRequest(...mistakes.map(({ path, message }) => ({ path: pathOf(path), content: message })));
};

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => text + (typeof part === 'number' ? `[${part}]` : `.${String(part)}`), '$');
