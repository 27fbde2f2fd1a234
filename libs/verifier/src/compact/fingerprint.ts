/** 32 bits of a text (FNV-1a): whether two texts are the same, where nobody gains by a pair that agrees in them. */
export const fingerprint = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash >>> 0;
};
