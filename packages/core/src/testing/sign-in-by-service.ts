import type { CountersignIdentity } from '../countersign.ts'
import type { CallingService } from '../identity/authentication/calling-service.ts'
import { type Clock, toIsoTimestamp } from '../shared/clock.ts'
import { type DeviceSessions, registerTestDevice, type SignedIn, signInByDevice } from './sign-in.ts'

interface Within {
  readonly countersign: CountersignIdentity
  readonly clock: Pick<Clock, 'now'>
}

/** A service with a valid token. */
export interface TestService {
  readonly service: CallingService
  /** The id of its token. */
  readonly tokenId: string
}

const rights = ['confirmation.initiate', 'confirmation.read', 'confirmation.redeem', 'approval.read', 'approval.redeem']

/** Issues a token to a service that may do everything with payments, and open sessions; bound to tenants if any are given. */
export const givenService = async ({ countersign }: Within, name: string, ...within: string[]): Promise<TestService> => {
  const scopes = ['session.open', ...rights.map((right) => `${right}:payment_approval`)]
  const { id: tokenId, token } = await countersign.serviceTokens.issue({ service: name, scopes, within })
  return { tokenId, service: await countersign.auth.authenticateService({ token, serviceName: name }) }
}

/** Opens a session for a user whom a service has signed in just now. */
export const signInByService = async (
  { countersign, clock }: Within,
  { service }: Pick<TestService, 'service'>,
  user: { readonly id: number },
): Promise<Pick<SignedIn, 'tokens' | 'caller'>> => {
  const signedInAt = toIsoTimestamp(clock.now())
  const tokens = await countersign.sessions.openForService({ service, user: { id: user.id }, signedInAt, method: 'test' })
  return { tokens, caller: await countersign.auth.authenticate({ token: tokens.accessToken }) }
}

/** Registers a device in a session that a service opens, and logs the user in by the device. */
export const signInDeviceUserByService = async (
  test: Within,
  service: Pick<TestService, 'service'>,
  user: { readonly id: number },
  options: Parameters<typeof registerTestDevice>[2] = {},
): Promise<DeviceSessions<Pick<SignedIn, 'tokens' | 'caller'>>> => {
  const web = await signInByService(test, service, user)
  const registered = await registerTestDevice(test, web.caller, options)
  return { ...registered, web, mobile: await signInByDevice(test, registered) }
}
