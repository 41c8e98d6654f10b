import type { LoginFailures } from '../identity/login-throttle/login-failures.ts'
import type { Stores } from '../storage.ts'

/** Returns the consecutive login failures of a client; `undefined` if there are none. */
export const failuresOf = async (
  { loginFailures }: Pick<Stores, 'loginFailures'>,
  client: string,
): Promise<LoginFailures | undefined> => {
  const { count, lastAt } = await loginFailures.of({ account: `account of ${client}`, client })
  return count === 0 ? undefined : { count, lastAt }
}
