import type { IdentityDeps } from '../deps.ts'
import type { IdentityStores } from '../stores.ts'
import type { User } from '../users/user.ts'
import { clientKnownFor } from './login-failures.ts'

/**
 * Marks the client of a device or passkey login as known to the account, so that the password ceiling never stops the client.
 * Runs in the transaction that opens the session. Does nothing without an address.
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
