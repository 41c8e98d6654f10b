import type { IdentityStorage } from '../base-deps.ts'
import type { Passkey } from '../records/passkey.ts'
import { requireUser } from '../user-model/require-user.ts'
import { PasskeyNotFound, PasskeyOfSeveralUsers } from './errors.ts'

/** The passkey that an admin names. The email selects the user where several users have a passkey of this id. */
export interface PasskeyOfAdmin {
  readonly id: string
  readonly email?: string | undefined
}

/** Returns the passkey that an admin names. @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers */
export const passkeyOfAdmin = async (deps: IdentityStorage, { id, email }: PasskeyOfAdmin): Promise<Passkey> => {
  const passkeys = await deps.storage.passkeys.withId(id)
  const owner = email === undefined ? undefined : await requireUser(deps, email)
  const [passkey, ...others] = email === undefined ? passkeys : passkeys.filter(({ userId }) => userId === owner?.id)
  if (passkey === undefined) throw new PasskeyNotFound()
  if (others.length > 0) throw new PasskeyOfSeveralUsers()
  return passkey
}
