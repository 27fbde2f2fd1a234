/** What an answer can be written in. */
export const FORMATS = ['json', 'csv', 'prometheus'] as const;
export type Format = (typeof FORMATS)[number];

/** Media types, each with what answers it. */
const TYPES: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'text/plain': 'prometheus',
  'application/openmetrics-text': 'prometheus',
};

/** The format that an `Accept` header weighs most, the first of those equal (RFC 9110 §12.5.1); JSON where it names none. */
export const formatFor = (accept = ''): Format => {
  let best: { readonly format: Format; readonly weight: number } = { format: 'json', weight: 0 };
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const format = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality) || 0;
    if (format && weight > best.weight) best = { format, weight };
  }
  return best.format;
};
