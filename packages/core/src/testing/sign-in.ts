import { randomUUID } from 'node:crypto'
import type { DeviceRegistrar, KeyAlgorithm } from '@countersign/contract'
import type { CountersignIdentity } from '../countersign.ts'
import type { Caller } from '../identity/authentication/caller.ts'
import type { Device } from '../identity/records/device.ts'
import type { UserProfile } from '../identity/records/user.ts'
import type { NamedUser } from '../identity/sessions/named-user.ts'
import type { TokenPair } from '../identity/tokens/issue-tokens.ts'
import type { Registered } from '../identity/trust/with-trust.ts'
import type { CreateUser } from '../identity/user-administration/create-user.ts'
import type { Clock } from '../shared/clock.ts'
import { createTestDevice, type TestDevice } from './test-device.ts'

/** Shortcuts to signed-in users, through the same use cases as in production. */

interface Within {
  /** A `Countersign` of any parts. */
  readonly countersign: CountersignIdentity
}

/** The password of every user that these functions create. */
export const testPassword = 'correct horse battery staple'

export interface SignedIn {
  readonly user: UserProfile
  readonly tokens: TokenPair
  readonly caller: Caller
}

/** Creates a user with a new email and `testPassword`. */
export const createTestUser = ({ countersign }: Within, overrides: Partial<CreateUser> = {}): Promise<UserProfile> =>
  countersign.users.create({ email: `user-${randomUUID()}@example.test`, password: testPassword, ...overrides })

/** Logs a user in by `testPassword`. */
export const signIn = async ({ countersign }: Within, user: UserProfile): Promise<SignedIn> => {
  const tokens = await countersign.auth.login({ email: user.email, password: testPassword })
  return { user, tokens, caller: await countersign.auth.authenticate({ token: tokens.accessToken }) }
}

/** Creates a user and logs them in by password. */
export const signInNewUser = async (test: Within, overrides: Partial<CreateUser> = {}): Promise<SignedIn> =>
  signIn(test, await createTestUser(test, overrides))

export interface RegisteredDevice {
  readonly device: Registered<Device>
  /** The device in software, with the private key. */
  readonly signer: TestDevice
}

export interface RegisterTestDevice {
  readonly algorithm?: KeyAlgorithm
  readonly signer?: TestDevice
  readonly deviceFingerprint?: string
  readonly pushToken?: string
  readonly enrolmentCode?: string
  readonly registeredWith?: DeviceRegistrar
}

/** Returns the announcement of a device with this key and a new fingerprint. */
export const anAnnouncement = (signer: TestDevice, deviceFingerprint = `fingerprint-${randomUUID()}`) =>
  ({
    deviceName: "Ada's phone",
    deviceType: 'mobile',
    deviceFingerprint,
    publicKey: signer.publicKey,
    keyAlgorithm: signer.keyAlgorithm,
  }) as const

/** Registers a device for the caller: sends its public key, and signs the challenge. */
export const registerTestDevice = async (
  { countersign }: Within,
  caller: Caller,
  {
    algorithm = 'ES256',
    signer = createTestDevice(algorithm),
    deviceFingerprint,
    pushToken,
    enrolmentCode,
    registeredWith,
  }: RegisterTestDevice = {},
): Promise<RegisteredDevice> => {
  const challenge = await countersign.devices.beginRegistration({
    caller,
    ...anAnnouncement(signer, deviceFingerprint),
    ...(enrolmentCode !== undefined && { enrolmentCode }),
    ...(registeredWith !== undefined && { registeredWith }),
  })
  const signedChallenge = signer.sign(challenge.challenge)
  const device = await countersign.devices.finishRegistration({ caller, sessionId: challenge.id, signedChallenge })
  if (pushToken !== undefined) await countersign.devices.setPushToken({ caller, deviceId: device.id, pushToken })
  return { device, signer }
}

/** Logs in by a registered device's signature. */
export const signInByDevice = async (
  { countersign }: Within,
  { device, signer }: RegisteredDevice,
  { rememberMe = false }: { readonly rememberMe?: boolean } = {},
): Promise<Pick<SignedIn, 'tokens' | 'caller'>> => {
  const challenge = await countersign.mobile.beginLogin({ deviceFingerprint: device.deviceFingerprint })
  const signedChallenge = signer.sign(challenge.challenge)
  const tokens = await countersign.mobile.finishLogin({ sessionId: challenge.id, signedChallenge, rememberMe })
  return { tokens, caller: await countersign.auth.authenticate({ token: tokens.accessToken }) }
}

/** The sessions of a user with one device. */
export interface DeviceSessions<Web> extends RegisteredDevice {
  /** The session that registered the device. */
  readonly web: Web
  /** A session opened by the device. */
  readonly mobile: Pick<SignedIn, 'tokens' | 'caller'>
}

/** A user with one device; `web` is a session opened by password. */
export interface DeviceUser extends DeviceSessions<SignedIn> {
  readonly user: UserProfile
}

const withDevice = async <Web extends Pick<SignedIn, 'caller'>>(
  test: Within,
  web: Web,
  options: RegisterTestDevice,
): Promise<DeviceSessions<Web>> => {
  const registered = await registerTestDevice(test, web.caller, options)
  return { ...registered, web, mobile: await signInByDevice(test, registered) }
}

/** Creates a user with one device, logged in both by password and by the device. */
export const signInNewDeviceUser = async (
  test: Within,
  { permissions = [], ...options }: RegisterTestDevice & Pick<CreateUser, 'permissions'> = {},
): Promise<DeviceUser> => {
  const web = await signInNewUser(test, { permissions })
  return { ...(await withDevice(test, web, options)), user: web.user }
}

interface WithinHost extends Within {
  readonly clock: Pick<Clock, 'now'>
}

/** Opens a session for a user whom the host has signed in just now, such as a user of its directory: `{ directoryId }`. */
export const signInByHost = async (
  { countersign, clock }: WithinHost,
  user: NamedUser,
): Promise<Pick<SignedIn, 'tokens' | 'caller'>> => {
  const tokens = await countersign.sessions.open({ user, signedInAt: clock.now(), method: 'test' })
  return { tokens, caller: await countersign.auth.authenticate({ token: tokens.accessToken }) }
}

/** Registers a device for a user whom the host has signed in, and logs the user in by the device. */
export const signInDeviceUserByHost = async (
  test: WithinHost,
  user: NamedUser,
  options: RegisterTestDevice = {},
): Promise<DeviceSessions<Pick<SignedIn, 'tokens' | 'caller'>>> => withDevice(test, await signInByHost(test, user), options)
