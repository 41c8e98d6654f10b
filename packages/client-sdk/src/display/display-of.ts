import { type ShownDisplay, signedDisplay } from '@countersign/contract/display'

/** The member of a confirmation that has its words: of `confirmations.pending`, of `confirmations.status`, or of a receipt. */
export interface DisplayedConfirmation {
  /** The words that the signature covers, by language. */
  readonly display?: unknown
}

/**
 * Returns the words to show to the person who decides: exactly those that the signature covers, in one language. They say what is
 * asked, who asks and for whom. Hidden characters appear as `\u{…}`. Show the title and every line, each value in its own element,
 * with the attributes `lang` and `dir` of `language` and `direction`.
 *
 * @param language A language tag such as `de-CH`, often `navigator.language`. Falls back to a shorter or another form of the
 *   language, then to English, then to the first language of the action type.
 * @throws TypeError for a confirmation without well-formed words; nobody can decide on it
 */
export const displayOf = ({ display }: DisplayedConfirmation, language?: string): ShownDisplay => {
  const shown = signedDisplay(display, language)
  if (shown === undefined) throw new TypeError('the confirmation has no words to show')
  return shown
}
