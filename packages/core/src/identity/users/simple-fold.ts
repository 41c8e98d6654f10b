/**
 * Returns the simple case folding of a character: the mappings C and S of Unicode's CaseFolding.txt. JavaScript has no function
 * for it, but a regular expression with the flags `i` and `u` compares by this folding. The folding is the lower case of the
 * upper case, or the lower case, if one of them is equal to the character in this comparison. Cherokee folds to its upper case.
 */
const foldCharacter = (character: string): string => {
  const upper = character.toUpperCase()
  const candidates = /\p{Script=Cherokee}/u.test(character) ? [upper] : [upper.toLowerCase(), character.toLowerCase()]
  const isEqual = (candidate: string): boolean => /^(.)\1$/iu.test(character + candidate)
  return candidates.find(isEqual) ?? character
}

/** Folds the case of each character by itself: `ẞ` becomes `ß` and not `ss`, `ς` becomes `σ`, and `ı` stays. */
export const simpleFold = (text: string): string => text.replace(/\p{Changes_When_Casefolded}/gu, foldCharacter)
