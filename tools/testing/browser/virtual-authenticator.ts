import type { CDPSession, Page } from 'playwright-core'

/** What an authenticator is like, as it is made. */
export interface AuthenticatorOptions {
  /** `internal`: built into the machine, as autofill and "this device" want it; one page has one of them at most. */
  readonly transport?: 'internal' | 'usb' | 'nfc' | 'ble'
  /** Whether it can keep a passkey itself, so that a sign-in needs no name. */
  readonly residentKeys?: boolean
  /** Whether it can verify its user, by a fingerprint or a PIN. */
  readonly userVerification?: boolean
}

/** A passkey as the authenticator holds it; binary members are standard base64. */
export interface VirtualCredential {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

/** An authenticator of software, in the hand of whoever uses one page. */
export interface VirtualAuthenticator {
  /** Whether its user is verified when it is asked to; they are, from the start. */
  setUserVerified(verified: boolean): Promise<void>
  /** Whether its user touches it when it asks; they do, from the start. Else it waits until the page or the time ends it. */
  setPresent(present: boolean): Promise<void>
  credentials(): Promise<readonly VirtualCredential[]>
  /** Puts a passkey into it, as one that is copied or restored. */
  addCredential(credential: VirtualCredential): Promise<void>
  /** Takes it away, with the passkeys that it holds. */
  remove(): Promise<void>
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

const connect = async (page: Page): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  return session
}

/** The authenticators of a page belong to the one connection that made them. */
const sessionOf = (page: Page): Promise<CDPSession> => {
  const session = sessions.get(page) ?? connect(page)
  sessions.set(page, session)
  return session
}

/** Takes every real authenticator away from the page: without `addAuthenticator`, there is none. */
export const withoutAuthenticators = async (page: Page): Promise<void> => {
  await sessionOf(page)
}

/** Gives the page an authenticator beside those that it has. It stays through navigation, until the page is closed. */
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
      // As of those that are kept in an account and come along to the next machine.
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
