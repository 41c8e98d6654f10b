import type { Input } from '@countersign/contract'
import { createVirtualPasskey, type VirtualPasskey } from '@countersign/core/testing'
import type { Tokens } from './sign-in.ts'
import type { TestApp } from './test-app.ts'

/** Short forms of the passkey operations over HTTP. */

/** Begins a registration and creates the passkey. Returns the input that finishes it. */
export const createPasskey = async (
  test: TestApp,
  token: string,
  passkey: VirtualPasskey = createVirtualPasskey(),
): Promise<Input<'passkeys.finishRegistration'>> => {
  const { challengeId, publicKey } = await test.ask('passkeys.beginRegistration', {}, { token })
  return { challengeId, credential: passkey.create(publicKey) }
}

/** Registers a passkey for the user of the token. */
export const registerPasskey = async (
  test: TestApp,
  token: string,
  passkey: VirtualPasskey = createVirtualPasskey(),
): Promise<VirtualPasskey> => {
  await test.ask('passkeys.finishRegistration', await createPasskey(test, token, passkey), { token })
  return passkey
}

/** Begins a login and signs with the passkey. Returns the input that finishes it. */
export const signPasskeyLogin = async (
  test: TestApp,
  passkey: VirtualPasskey,
  begin: Input<'passkeys.beginLogin'> = {},
): Promise<Input<'passkeys.finishLogin'>> => {
  const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', begin)
  return { challengeId, credential: passkey.get(publicKey) }
}

/** Logs in with a passkey, without an email. */
export const passkeyLogin = async (test: TestApp, passkey: VirtualPasskey): Promise<Tokens> =>
  test.ask('passkeys.finishLogin', await signPasskeyLogin(test, passkey))
