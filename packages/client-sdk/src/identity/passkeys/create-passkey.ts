import type { Input, Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { type AwaitDecision, type RegisteredTrust, withVouching } from '../vouching.ts'
import { credentialOf, requirePasskeys } from './ask-browser.ts'
import type { Ceremony } from './ceremony.ts'
import { fromCreated, toCreationOptions } from './credential-json.ts'

/** The wishes for a new passkey; all optional. */
export type CreatePasskey = Input<'passkeys.beginRegistration'> & {
  /** The name of the passkey; without a name, the service chooses one. */
  readonly name?: string
}

/** A passkey that was just created. */
export type CreatedPasskey = Output<'passkeys.finishRegistration'> & RegisteredTrust

/** Has the browser create a passkey for the user of the session, and registers the passkey. */
export const createPasskey = async (
  { call, inSteps, ceremony, settled }: StepDeps & { readonly ceremony: Ceremony; readonly settled: AwaitDecision },
  input?: CreatePasskey,
  options?: CallOptions,
): Promise<CreatedPasskey> => {
  const { name, ...wishes } = { ...input }
  requirePasskeys()
  return ceremony(options?.signal, (newest) =>
    inSteps({ ...options, signal: newest }, async (step, uncounted) => {
      const { signal } = step
      const { challengeId, publicKey } = await call('passkeys.beginRegistration', wishes, step)
      const ask = () => navigator.credentials.create({ publicKey: toCreationOptions(publicKey), signal })
      const credential = fromCreated(await uncounted(() => credentialOf(ask, signal)))
      const finished = await call('passkeys.finishRegistration', { challengeId, credential, name }, step)
      return withVouching(settled, finished, finished.credential, options)
    }),
  )
}
