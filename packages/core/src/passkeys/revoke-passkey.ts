import type { Deps } from '../deps.ts'
import { PasskeyNotFound } from './errors.ts'
import type { Passkey } from './passkey.ts'
import { removePasskey } from './remove-passkey.ts'

/** Removes any user's passkey by its id, for admins; the same as its user removing it. @throws PasskeyNotFound */
export const revokePasskey = async (deps: Pick<Deps, 'storage' | 'clock'>, input: { readonly id: string }): Promise<Passkey> => {
  const passkey = await deps.storage.passkeys.byId(input.id)
  if (passkey === undefined) throw new PasskeyNotFound()
  await removePasskey(deps, { credentialId: passkey.id, caller: { userId: passkey.userId } })
  return passkey
}
