/** One visible line: no control, bidi or invisible character (`\p{DI}`), no blank but spaces, no piled marks; emoji may vary. */
const VISIBLE_LINE =
  /^(?!.*\p{M}{4})(?!.*(?:\u2d7f|\u{1107f}|\u{16fe4}|\u{1d159}))(?![ \u00a0\u202f]+$)(?:\p{Extended_Pictographic}\ufe0f|[^\p{C}\p{Zl}\p{Zp}\p{DI}\u2800\p{Zs}]|[ \u00a0\u202f](?![\u00a0\u202f]))*$/u;

/** Such a line of at most `most` characters (code points), which is not empty where `least` says so. */
export const visibleLine = (most: number, least = 0): RegExp =>
  new RegExp(`^(?=.{${least},${most}}$)${VISIBLE_LINE.source.slice(1)}`, 'u');
