/** The relying party of passkeys (WebAuthn Level 3 §5.4.2). */
export interface RelyingParty {
  /** The domain of the passkeys. Passkeys are bound to the domain permanently: after a change, none of them works. */
  readonly id: string
  /** The name that browsers show when a passkey is created. */
  readonly name: string
  /** The origins of the pages and apps that may use passkeys. Read at the end of every ceremony. */
  readonly origins: readonly string[]
}
