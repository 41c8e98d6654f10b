import type { IdentityDeps } from '../deps.ts'
import { clientKnownFor } from '../login-throttle/login-failures.ts'
import type { User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * Returns the step that marks the client of a device or passkey login as known to the account, so that the password ceiling never
 * stops the client. The step runs in the transaction that opens the session. It does nothing without an address.
 */
export const clientToRemember = async (
  { clock, options, loginSourceOf }: Pick<IdentityDeps, 'clock' | 'options' | 'loginSourceOf'>,
  { email }: Pick<User, 'email'>,
  address: string | undefined,
): Promise<(tx: IdentityStores) => Promise<void>> => {
  if (address === undefined || options.rateLimits === 'off') return async () => {}
  const { client } = await loginSourceOf(email, address)
  return (tx) => {
    const now = clock.now()
    return tx.loginFailures.remember(client, now, now + clientKnownFor)
  }
}
