const isOffered = (): boolean => 'PublicKeyCredential' in globalThis

const hasPasskeys = (): boolean => isOffered() && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Returns whether the browser can offer passkeys in the suggestions of a text field. */
export const hasAutofill = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

class PasskeysUnsupported extends Error {
  override readonly name = 'PasskeysUnsupported'
}

/** Checks that the browser has passkeys. @throws PasskeysUnsupported */
export const requirePasskeys = (): void => {
  if (hasPasskeys()) return
  if (!isSecureContext) throw new PasskeysUnsupported('Browsers offer passkeys only over HTTPS and at localhost.')
  throw new PasskeysUnsupported(
    isOffered()
      ? 'This browser is too old for the passkeys of this page.'
      : 'This browser has no passkeys, or they are turned off in its settings.',
  )
}
