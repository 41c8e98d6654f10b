const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Returns whether the browser can offer passkeys in the suggestions of a text field. */
export const hasAutofill = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

class PasskeysUnsupported extends Error {
  override readonly name = 'PasskeysUnsupported'
}

/** Checks that the browser has passkeys. @throws PasskeysUnsupported */
export const requirePasskeys = (): void => {
  if (hasPasskeys()) return
  throw new PasskeysUnsupported(
    isSecureContext
      ? 'This browser is too old for the passkeys of this page.'
      : 'Browsers offer passkeys only over HTTPS and at localhost.',
  )
}
