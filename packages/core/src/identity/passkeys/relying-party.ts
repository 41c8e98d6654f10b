/** On whose behalf passkeys are created and used (WebAuthn Level 3 §5.4.2). */
export interface RelyingParty {
  /** The domain that passkeys are bound to, for good: with another, none of them works any more. */
  readonly id: string
  /** Shown by browsers when a passkey is created. */
  readonly name: string
  /** The origins whose pages and apps may ask for a passkey. Read anew at the end of each ceremony. */
  readonly origins: readonly string[]
}
