import type { Countersign } from '../countersign.ts'
import { minutes } from '../shared/clock.ts'
import type { FakeClock } from './fake-clock.ts'
import { type DeviceUser, type SignedIn, signInByDevice, signInNewDeviceUser } from './sign-in.ts'

/** A user with a trusted phone: the web session is too old to make a new device trusted, and the session of the phone is new. */
export const givenTrustedPhone = async (test: {
  readonly countersign: Countersign
  readonly clock: FakeClock
}): Promise<DeviceUser & Pick<SignedIn, 'caller'>> => {
  const user = await signInNewDeviceUser(test, { pushToken: 'push-phone' })
  test.clock.advance(minutes(11))
  const { caller } = await signInByDevice(test, user)
  return { ...user, caller }
}
