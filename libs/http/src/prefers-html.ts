/** The weight an `Accept` header gives a media type that it names; 0 where it does not (RFC 9110 §12.5.1). */
const weightOf = (accept: string, type: string): number => {
  const range = accept
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .find(([name]) => name === type);
  const quality = range?.find((part) => part.startsWith('q='))?.slice(2);
  return range ? Number(quality ?? 1) || 0 : 0;
};

/** Whether an `Accept` header asks for a page rather than JSON. Only what names `text/html` does: a browser. */
export const prefersHtml = (accept: string | undefined): boolean =>
  weightOf(accept ?? '', 'text/html') > weightOf(accept ?? '', 'application/json');
