/** Texts that break SQL built from strings. A storage must return each text unchanged, and match it exactly. */
export const hostileTexts: readonly string[] = [
  `it's "quoted" \`thrice\``,
  `'; DROP TABLE users; --`,
  String.raw`back\slash \' \" \0 \x00 %s $1 ? :name @p`,
  '100%',
  '%',
  '_',
  'a_c',
  'abc',
  'ABC',
  'abc ',
  ' abc',
  'line\nfeed\r\nand\ttab',
  '🔐👩‍👩‍👧‍👦',
  '𝕏'.repeat(255),
  'مرحبا \u202Eשלום\u202C עולם',
  // The same letter in two spellings: composed and decomposed.
  'caf\u00E9',
  'cafe\u0301',
  '{"json": ["in", "text", null]}',
  'null',
  'NaN',
]
