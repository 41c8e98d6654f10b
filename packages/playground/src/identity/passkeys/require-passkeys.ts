const isOffered = (): boolean => 'PublicKeyCredential' in globalThis

const hasPasskeys = (): boolean => isOffered() && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Returns whether the browser can offer passkeys in the suggestions of a text field. */
export const hasAutofill = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

/** Checks that the browser has passkeys. @throws Error with the reason, for the person, if the browser has no passkeys */
export const requirePasskeys = (): void => {
  if (hasPasskeys()) return
  if (!isSecureContext) throw new Error('Browsers offer passkeys only over HTTPS and at localhost.')
  throw new Error(
    isOffered()
      ? 'This browser is too old for the passkeys of this page.'
      : 'This browser has no passkeys, or they are turned off in its settings.',
  )
}
