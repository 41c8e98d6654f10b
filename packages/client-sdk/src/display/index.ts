import { type ShownDisplay, signedDisplay } from '@countersign/contract/display'

export type { Direction, DisplayLine, ShownDisplay } from '@countersign/contract/display'

/** The member of a confirmation that has its words: of `confirmations.pending`, of `confirmations.status`, or of a receipt. */
export interface DisplayedConfirmation {
  /** The words that the signature covers, by language. */
  readonly display?: unknown
}

/**
 * Returns the words to show to the person who decides, exactly those that the signature covers, in the language of a tag such as
 * `de-CH`, or else in English or the first language. Hidden characters appear as `\u{…}`. Show the title and every line in elements
 * of their own, with the attributes `lang` and `dir` of `language` and `direction`.
 * @throws TypeError for a confirmation without well-formed words; nobody can decide on it
 */
export const displayOf = ({ display }: DisplayedConfirmation, language?: string): ShownDisplay => {
  const shown = signedDisplay(display, language)
  if (shown === undefined) throw new TypeError('the confirmation has no words to show')
  return shown
}
