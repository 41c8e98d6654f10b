import type { CDPSession, Page } from 'playwright-core'

/** The properties of a new authenticator. */
export interface AuthenticatorOptions {
  /**
   * `internal`: built into the machine, as autofill and "this device" need it. A page has at most one internal authenticator.
   */
  readonly transport?: 'internal' | 'usb' | 'nfc' | 'ble'
  /** True if the authenticator stores passkeys, so that a sign-in needs no user name. */
  readonly residentKeys?: boolean
  /** True if the authenticator can verify its user, by a fingerprint or a PIN. */
  readonly userVerification?: boolean
}

/** A passkey in the authenticator; binary fields are standard base64. */
export interface VirtualCredential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

/** A software authenticator for one page. */
export interface VirtualAuthenticator {
  /** Sets whether the verification of the user succeeds; true at first. */
  setUserVerified(verified: boolean): Promise<void>
  /**
   * Sets whether the user touches the authenticator when asked; true at first. Otherwise, the authenticator waits until the
   * page or a time limit ends the request.
   */
  setPresent(present: boolean): Promise<void>
  credentials(): Promise<readonly VirtualCredential[]>
  /** Adds a passkey, as after copying or restoring it. */
  addCredential(credential: VirtualCredential): Promise<void>
  /** Removes the authenticator with its passkeys. */
  remove(): Promise<void>
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

const connect = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  return session
}

/** Returns the connection that creates the authenticators of a page. Authenticators belong to their connection. */
const sessionOf = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? connect(page)
  sessions.set(page, session)
  return session
}

/** Removes all real authenticators from the page, so that it has none before `addAuthenticator`. */
export const withoutAuthenticators = async (page: Page): Promise<void> => {
  await sessionOf(page)
}

/** Adds an authenticator to the page. It survives navigation until the page is closed. */
export const addAuthenticator = async (
  page: Page,
  { transport = 'internal', residentKeys = true, userVerification = true }: AuthenticatorOptions = {},
): Promise<VirtualAuthenticator> => {
  const session = await sessionOf(page)
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: residentKeys,
      hasUserVerification: userVerification,
      isUserVerified: userVerification,
      automaticPresenceSimulation: true,
      // The flag of passkeys that an account synchronizes to other machines.
      defaultBackupEligibility: transport === 'internal',
      defaultBackupState: transport === 'internal',
    },
  })
  return {
    setUserVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    setPresent: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    addCredential: async (credential) => {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
