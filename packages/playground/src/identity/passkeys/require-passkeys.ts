const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** Whether the browser can offer passkeys among the suggestions of a text field. */
export const hasAutofill = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true

class PasskeysUnsupported extends Error {
  override readonly name = 'PasskeysUnsupported'
}

/** @throws PasskeysUnsupported */
export const requirePasskeys = (): void => {
  if (hasPasskeys()) return
  throw new PasskeysUnsupported(
    isSecureContext
      ? 'This browser is too old for the passkeys of this page.'
      : 'Browsers offer passkeys only over HTTPS and at localhost.',
  )
}
