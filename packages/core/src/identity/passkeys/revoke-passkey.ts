import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../users/require-user.ts'
import { PasskeyNotFound, PasskeyOfSeveralUsers } from './errors.ts'
import type { Passkey } from './passkey.ts'
import { removePasskey } from './remove-passkey.ts'

/**
 * Removes any user's passkey by its id, for admins; the same as its user removing it. The user of the email's where one is
 * given. @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers
 */
export const revokePasskey = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly id: string; readonly email?: string | undefined },
): Promise<Passkey> => {
  const passkeys = await deps.storage.passkeys.withId(input.id)
  const owner = input.email === undefined ? undefined : await requireUser(deps, input.email)
  const [passkey, ...others] = input.email === undefined ? passkeys : passkeys.filter(({ userId }) => userId === owner?.id)
  if (passkey === undefined) throw new PasskeyNotFound()
  if (others.length > 0) throw new PasskeyOfSeveralUsers()
  await removePasskey(deps, { credentialId: passkey.id, caller: { userId: passkey.userId } })
  return passkey
}
