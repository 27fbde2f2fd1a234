/** Runs work that lasts until the first SIGINT or SIGTERM, which is its ordinary end. A second one ends the process as usual. */
export const untilSignal = async (work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await work(ending.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
};
