import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../call.ts'
import { credentialOf, requirePasskeys } from './ask-browser.ts'
import type { Ceremony } from './ceremony.ts'
import { fromCreated, toCreationOptions } from './credential-json.ts'

/** What is wished of a new passkey; everything may be left out. */
export type CreatePasskey = Input<'passkeys.beginRegistration'> & {
  /** What the person will know the passkey by; the service names it otherwise. */
  readonly name?: string
}

interface PasskeyDeps {
  readonly call: Call
  readonly ceremony: Ceremony
}

/** Has the browser create a passkey for the user of the session, and registers it. */
export const createPasskey = async (
  { call, ceremony }: PasskeyDeps,
  { name, ...wishes }: CreatePasskey = {},
  options?: CallOptions,
): Promise<Output<'passkeys.finishRegistration'>> => {
  requirePasskeys()
  return ceremony(options?.signal, async (signal) => {
    const { challengeId, publicKey } = await call('passkeys.beginRegistration', wishes, { ...options, signal })
    const asked = navigator.credentials.create({ publicKey: toCreationOptions(publicKey), signal })
    const credential = fromCreated(await credentialOf(asked, signal))
    const finished = await call('passkeys.finishRegistration', { challengeId, credential }, { ...options, signal })
    if (name === undefined) return finished
    return call('passkeys.rename', { credentialId: finished.credential.id, name }, { ...options, signal })
  })
}
