/**
 * One line of what a stranger wrote, all of which can be seen: nothing that controls or turns the text, that looks like
 * nothing though it counts as a letter or a mark, no other blanks than spaces, and no marks piled up to cover what is around
 * them. What gives an emoji its colours may follow one. `\p{DI}`: ignored where it cannot be shown.
 */
export const LINE =
  /^(?!.*\p{M}{4})(?!.*(?:\u2d7f|\u{1107f}|\u{16fe4}|\u{1d159}))(?![ \u00a0\u202f]+$)(?:\p{Extended_Pictographic}\ufe0f|[^\p{C}\p{Zl}\p{Zp}\p{DI}\u2800\p{Zs}]|[ \u00a0\u202f](?![\u00a0\u202f]))*$/u;
