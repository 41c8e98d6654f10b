import type { IdentityDeps } from '../deps.ts'
import type { IdentityStores } from '../stores.ts'
import type { User } from '../users/user.ts'
import { clientKnownFor } from './login-failures.ts'

/**
 * Makes the client of a login by device or passkey known to its account, so that the ceiling for passwords never stops it.
 * Part of the transaction that opens the session. Does nothing where the address is not told.
 */
export const rememberClient = async (
  { clock, options, loginSourceOf }: Pick<IdentityDeps, 'clock' | 'options' | 'loginSourceOf'>,
  tx: IdentityStores,
  { email }: Pick<User, 'email'>,
  address: string | undefined,
): Promise<void> => {
  if (address === undefined || options.rateLimits === 'off') return
  const now = clock.now()
  await tx.loginFailures.remember(loginSourceOf(email, address).client, now, now + clientKnownFor)
}
