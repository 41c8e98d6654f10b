import { createHash } from 'node:crypto'
import type { Checked } from '@countersign/contract'
import type { CountersignIdentity } from '../countersign.ts'
import type { Caller } from '../identity/authentication/caller.ts'
import type { Passkey } from '../identity/records/passkey.ts'
import type { TokenPair } from '../identity/tokens/issue-tokens.ts'
import type { Registered } from '../identity/trust/with-trust.ts'
import { type SignedIn, signInNewUser } from './sign-in.ts'
import { createVirtualPasskey } from './virtual-passkey.ts'
import type { AssertionChanges, CreationChanges, VirtualPasskey } from './virtual-passkey-types.ts'

/** Shortcuts to passkeys, through the same use cases as in production. */

interface Within {
  readonly countersign: CountersignIdentity
}

export interface RegisterTestPasskey {
  readonly virtual?: VirtualPasskey
  /** The input of `passkeys.beginRegistration`. */
  readonly begin?: Checked<'passkeys.beginRegistration'>
  readonly changes?: CreationChanges
  readonly name?: string
}

export interface RegisteredPasskey {
  readonly passkey: Registered<Passkey>
  /** Holds the private key. */
  readonly virtual: VirtualPasskey
}

/** Registers a passkey for the caller. */
export const registerTestPasskey = async (
  { countersign }: Within,
  caller: Caller,
  { virtual = createVirtualPasskey(), begin = {}, changes, name }: RegisterTestPasskey = {},
): Promise<RegisteredPasskey> => {
  const { challengeId, publicKey } = await countersign.passkeys.beginRegistration({ ...begin, caller })
  const credential = virtual.create(publicKey, changes)
  return { virtual, passkey: await countersign.passkeys.finishRegistration({ caller, challengeId, credential, name }) }
}

export interface SignInByPasskey {
  /** The input of `passkeys.beginLogin`. Without an email, the login accepts every discoverable passkey. */
  readonly begin?: Checked<'passkeys.beginLogin'>
  readonly changes?: AssertionChanges
  readonly rememberMe?: boolean
}

/** Logs in by a passkey. */
export const signInByPasskey = async (
  { countersign }: Within,
  virtual: VirtualPasskey,
  { begin = {}, changes, rememberMe = false }: SignInByPasskey = {},
): Promise<{ readonly tokens: TokenPair; readonly caller: Caller }> => {
  const { challengeId, publicKey } = await countersign.passkeys.beginLogin(begin)
  const tokens = await countersign.passkeys.finishLogin({ challengeId, credential: virtual.get(publicKey, changes), rememberMe })
  return { tokens, caller: await countersign.auth.authenticate({ token: tokens.accessToken }) }
}

/**
 * Returns the input of `confirmations.approve`, except for the caller: an approval by the passkey. The challenge of the assertion
 * is the SHA-256 of `countersign.passkey-approval.v1`, a zero byte and the 64 bytes of the challenge of the confirmation.
 *
 * @param rpId The domain of the relying party.
 */
export const approvalByPasskey = (
  virtual: VirtualPasskey,
  { id: confirmationId, challenge }: { readonly id: string; readonly challenge: string },
  changes: AssertionChanges = {},
  rpId = 'localhost',
) => {
  const hash = createHash('sha256').update('countersign.passkey-approval.v1\0').update(Buffer.from(challenge, 'base64'))
  const options = { challenge: hash.digest('base64url'), rpId, timeout: 0, allowCredentials: [] }
  const { id: credentialId, response } = virtual.get({ ...options, userVerification: 'required' }, changes)
  const { userHandle: _, ...assertion } = response
  return { confirmationId, credentialId, ...assertion }
}

export interface PasskeyUser extends SignedIn, RegisteredPasskey {}

/** Creates a user with one passkey, logged in by password. */
export const signInNewPasskeyUser = async (test: Within, options: RegisterTestPasskey = {}): Promise<PasskeyUser> => {
  const signedIn = await signInNewUser(test)
  return { ...signedIn, ...(await registerTestPasskey(test, signedIn.caller, options)) }
}
