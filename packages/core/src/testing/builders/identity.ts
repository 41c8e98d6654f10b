import type { LoginWaits } from '../../identity/login-throttle/login-failures.ts'
import type { Challenge, ChallengePurpose, ChallengeSubjects } from '../../identity/records/challenge.ts'
import type { Device, RegistrationEvidence } from '../../identity/records/device.ts'
import type { OneTimeCode } from '../../identity/records/one-time-code.ts'
import type { Passkey } from '../../identity/records/passkey.ts'
import type { ServiceToken } from '../../identity/records/service-token.ts'
import type { Session } from '../../identity/records/session.ts'
import type { NewUser, User } from '../../identity/records/user.ts'
import { days, minutes, seconds } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { systemRandom } from '../../shared/random.ts'
import { clockStart } from '../fake-clock.ts'
import { aChallengeText, aSealedField, uuid } from './shared.ts'

const examplePublicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0cAa8+NHpb8eZFHZc+Roa9T+J0e8
/Osb4k76YiyoEUXFbqRDgjRNRmZl14rmIo4bYDhCMTOFtBeTT/eaZsx0Eg==
-----END PUBLIC KEY-----
`

/** Returns the input of the store's `users.create`, without a password. */
export const aNewUser = (overrides: Partial<NewUser> = {}): NewUser => {
  const name = uuid()
  return {
    email: `${name}@example.test`,
    name: 'Ada Lovelace',
    employee: { id: `emp-${name}`, name: 'Ada Lovelace', avatarFileId: '' },
    department: { id: 'dep-1', name: 'Engines' },
    permissions: ['project.read'],
    directoryId: null,
    passwordHash: null,
    createdAt: clockStart,
    ...overrides,
  }
}

/** Returns a user as the storage returns it. */
export const aUser = (overrides: Partial<User> = {}): User => ({
  ...aNewUser(),
  id: 1,
  disabledAt: null,
  lockedAt: null,
  version: 1,
  updatedAt: overrides.createdAt ?? clockStart,
  ...overrides,
})

/** Returns a live session opened by password, with a refresh token of three days. */
export const aSession = (overrides: Partial<Session> = {}): Session => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: uuid(),
    userId: 1,
    kind: 'standard',
    authMethod: 'password',
    deviceId: null,
    passkeyId: null,
    userVerified: false,
    host: null,
    tenants: null,
    rememberMe: false,
    openedFrom: null,
    createdAt,
    lastUsedAt: createdAt,
    refreshTokenId: uuid(),
    previousRefreshTokenId: null,
    renewalKeyHash: null,
    rotatedAt: createdAt,
    refreshExpiresAt: createdAt + days(3),
    endedAt: null,
    endReason: null,
    ...overrides,
  }
}

/** Returns a trusted phone that was never used, with a real P-256 key whose private key is unknown. */
export const aDevice = (overrides: Partial<Device> = {}): Device => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: uuid(),
    userId: 1,
    deviceName: "Ada's phone",
    deviceType: 'mobile',
    deviceFingerprint: `fingerprint-${uuid()}`,
    publicKey: examplePublicKey,
    keyAlgorithm: 'ES256',
    registeredWith: null,
    tenants: null,
    pushToken: null,
    lastUsedAt: null,
    trustedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
    ...overrides,
  }
}

/** Returns a trusted passkey that was never used. Its public key is random bytes, because a storage never reads the key. */
export const aPasskey = (overrides: Partial<Passkey> = {}): Passkey => ({
  id: toBase64Url(systemRandom.bytes(32)),
  userId: 1,
  userHandle: toBase64Url(systemRandom.bytes(64)),
  publicKey: toBase64Url(systemRandom.bytes(77)),
  spki: `-----BEGIN PUBLIC KEY-----\n${uuid()}\n-----END PUBLIC KEY-----\n`,
  algorithm: -7,
  signCount: 0,
  transports: ['hybrid', 'internal'],
  backupEligible: true,
  backedUp: true,
  aaguid: uuid(),
  discoverable: true,
  name: "Ada's phone",
  tenants: null,
  createdAt: clockStart,
  lastUsedAt: null,
  trustedAt: overrides.createdAt ?? clockStart,
  ...overrides,
})

/** Returns the evidence of a registration. Its signature is random, because a storage never checks it. */
export const aRegistrationEvidence = (overrides: Partial<RegistrationEvidence> = {}): RegistrationEvidence => ({
  deviceId: uuid(),
  userId: 1,
  challenge: aChallengeText(),
  nonce: aSealedField(),
  text: aSealedField(),
  algorithm: 'ES256',
  signature: toBase64Url(systemRandom.bytes(64)),
  over: 'text',
  publicKey: examplePublicKey,
  keyThumbprint: toBase64Url(systemRandom.bytes(32)),
  registeredAt: clockStart,
  ...overrides,
})

const subjects = {
  device_registration: () => ({
    deviceId: uuid(),
    deviceName: "Ada's phone",
    deviceType: 'mobile',
    deviceFingerprint: `fingerprint-${uuid()}`,
    publicKey: examplePublicKey,
    keyAlgorithm: 'ES256',
    nonce: aSealedField(),
  }),
  device_login: () => ({ deviceFingerprint: `fingerprint-${uuid()}` }),
  passkey_registration: () => ({ userHandle: toBase64Url(systemRandom.bytes(64)), userVerification: 'preferred' }),
  passkey_login: () => ({ mayAnswer: 'anyone', rs256: [], userVerification: 'preferred' }),
} as const satisfies { [P in ChallengePurpose]: () => ChallengeSubjects[P] }

/** Returns a challenge for two minutes. It belongs to user 1, or to no user for a login. */
export const aChallenge = <P extends ChallengePurpose>(purpose: P, overrides: Partial<Challenge<P>> = {}): Challenge<P> => {
  const createdAt = overrides.createdAt ?? clockStart
  const subjectOf: { [Q in ChallengePurpose]: () => ChallengeSubjects[Q] } = subjects
  return {
    id: uuid(),
    purpose,
    userId: purpose === 'device_login' || purpose === 'passkey_login' ? null : 1,
    challenge: aChallengeText(),
    subject: subjectOf[purpose](),
    createdAt,
    expiresAt: createdAt + seconds(120),
    ...overrides,
  }
}

/** Returns an enrolment code for a quarter of an hour, with a random hash. */
export const aOneTimeCode = (overrides: Partial<OneTimeCode> = {}): OneTimeCode => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    userId: 1,
    kind: 'enrolment',
    hash: toBase64Url(systemRandom.bytes(32)),
    createdAt,
    expiresAt: createdAt + minutes(15),
    ...overrides,
  }
}

/** Returns a service token for a year. */
export const aServiceToken = (overrides: Partial<ServiceToken> = {}): ServiceToken => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: uuid(),
    service: 'billing',
    scopes: ['confirmation.read'],
    within: [],
    createdAt,
    expiresAt: createdAt + days(365),
    revokedAt: null,
    ...overrides,
  }
}

/** Waits of login failures that make nobody wait, so that a test can count any number of failures. */
export const noWaits: LoginWaits = { free: 1_000_000, first: seconds(1), longest: seconds(1) }
