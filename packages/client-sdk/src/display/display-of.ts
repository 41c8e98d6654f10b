import { type Display, isContractType, renderAction, signedDisplay } from '@countersign/contract/display'

/** The members of a confirmation that determine what a person sees: of `confirmations.pending` or `confirmations.status`. */
export interface DisplayedConfirmation {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion?: string | null | undefined
  /** The words that the signature covers, by language; `null` for a built-in type. */
  readonly display?: Readonly<Record<string, Display>> | null | undefined
}

/**
 * Returns the words to show to the person who decides. For a registered action type, these are the words that the signature
 * covers. For a built-in type, this function writes them in English, with every member of the payload. Hidden
 * characters appear as `\u{…}`. Show the title and every line, each value in its own element.
 *
 * @param language A language tag such as `de-CH`, often `navigator.language`. Falls back to a shorter or another form of the
 *   language, then to English, then to the first language of the action type.
 */
export const displayOf = (confirmation: DisplayedConfirmation, language?: string): Display => {
  const { actionType, actionPayload, actionTypeVersion, display } = confirmation
  // The signature covers the words of registered types only. Other words of the service are never shown.
  const isSigned = typeof actionTypeVersion === 'string' && !isContractType(actionType)
  const signed = isSigned ? signedDisplay(display, language) : undefined
  return signed ?? renderAction(actionType, { ...actionPayload })
}
