import type { identityOperations } from '../../operations/identity.ts'
import { challenge, deviceId, type Examples, noon, signature, sixMinutesLater } from './example.ts'

const token = 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImsxIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl'
const base64Url = challenge.replace('==', '')
const sessionId = '0c9f9f0e-6d7b-4a3c-8f0a-7a1f5f3f8f22'

const code = '7ZK3M9QX2B8F4T6VNW1CRD5YHG'

const tokenPair = {
  accessToken: token,
  refreshToken: token,
  accessTokenExpiresAt: '2026-01-31T20:00:00.000Z',
  refreshTokenExpiresAt: '2026-02-03T12:00:00.000Z',
}

const device = {
  id: deviceId,
  deviceName: "Ada's phone",
  deviceType: 'mobile',
  deviceFingerprint: 'phone-4f9d1c',
  isActive: true,
  lastUsedAt: null,
  createdAt: noon,
  updatedAt: noon,
} as const

const passkey = {
  id: 'xq3f5pGkT9m0bqOaJvR2sUe1Wn8',
  name: 'Passkey of 31 January 2026',
  createdAt: noon,
  transports: ['hybrid', 'internal'],
  backedUp: true,
}

const session = {
  id: sessionId,
  current: true,
  kind: 'standard',
  authMethod: 'password',
  deviceId: null,
  createdAt: noon,
  lastUsedAt: noon,
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
} as const

const challengeId = sessionId

/** The response of a browser to the passkey options; its parts are base64url. */
const credential = { id: passkey.id, rawId: passkey.id, type: 'public-key' } as const
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'

export const identityExamples: Examples<keyof typeof identityOperations> = {
  'auth.login': { input: { email: 'ada@example.com', password: 'correct horse battery staple' }, output: tokenPair },
  'auth.refresh': { input: { refreshToken: token, renewalKey: 'V2hhdCBhIGNsaWVudCBtYWRl' }, output: tokenPair },
  'auth.logout': { input: { refreshToken: token }, output: { success: true, message: 'Logged out' } },
  'password.change': {
    input: { currentPassword: 'correct horse battery staple', newPassword: 'a new password, long enough' },
    output: { success: true, message: 'Password changed' },
  },
  'password.forgot': {
    input: { email: 'ada@example.com', languages: 'de-CH, de;q=0.9, en;q=0.8' },
    output: { success: true, message: 'If the account can set a password, a code is on its way to its email' },
  },
  'password.checkCode': {
    input: { code },
    output: { kind: 'forgot', email: 'a…@example.com', expiresAt: '2026-01-31T12:30:00.000Z' },
  },
  'password.redeem': {
    input: { code, newPassword: 'a new password, long enough', signIn: true },
    output: { success: true, message: 'Password set', tokens: tokenPair },
  },
  'account.me': {
    input: {},
    output: {
      user: { id: 7, email: 'ada@example.com', name: 'Ada', permissions: ['project.read'], tenants: {} },
      session,
      trust: 'standard',
      can: { approve: false, enrol: true, passkeys: true, password: true },
    },
  },
  'account.lock': { input: {}, output: { success: true, message: 'Account locked' } },
  'sessions.list': { input: {}, output: { sessions: [session], nextCursor: null } },
  'sessions.open': {
    input: {
      user: { directoryId: 'customer-7' },
      signedInAt: noon,
      method: 'oidc',
      address: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    output: tokenPair,
  },
  'sessions.end': { input: { sessionId }, output: { success: true, message: 'Session ended' } },
  'sessions.endOthers': { input: {}, output: { success: true, message: 'Other sessions ended' } },
  'devices.list': { input: {}, output: { devices: [device] } },
  'devices.remove': { input: { deviceId }, output: { success: true, message: 'Device removed' } },
  'devices.setPushToken': {
    input: { deviceId, pushToken: 'fcm:9f3e0c' },
    output: { success: true, message: 'Push token updated' },
  },
  'devices.beginRegistration': {
    input: {
      deviceName: device.deviceName,
      deviceType: 'mobile',
      deviceFingerprint: device.deviceFingerprint,
      publicKey:
        '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n',
      keyAlgorithm: 'ES256',
    },
    output: { challenge, expiresAt: sixMinutesLater, deviceId, sessionId },
  },
  'devices.finishRegistration': { input: { sessionId, signedChallenge: signature }, output: { success: true, deviceId, device } },
  'mobile.beginLogin': {
    input: { deviceFingerprint: device.deviceFingerprint },
    output: { challenge, expiresAt: sixMinutesLater, sessionId },
  },
  'mobile.finishLogin': {
    input: { sessionId, signedChallenge: signature, rememberMe: true },
    output: { success: true, tokens: tokenPair },
  },
  'mobile.refresh': { input: { refreshToken: token }, output: { success: true, tokens: tokenPair } },
  'passkeys.beginRegistration': {
    input: { userVerification: 'preferred', authenticatorSelection: { residentKey: 'preferred' } },
    output: {
      challengeId,
      publicKey: {
        rp: { id: 'localhost', name: 'Countersign' },
        user: { id: base64Url, name: 'ada@example.com', displayName: 'Ada' },
        challenge: base64Url,
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        timeout: 120_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'preferred' },
        attestation: 'none',
        extensions: { credProps: true },
      },
    },
  },
  'passkeys.finishRegistration': {
    input: {
      challengeId,
      credential: { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] } },
    },
    output: { success: true, credential: passkey },
  },
  'passkeys.beginLogin': {
    input: { email: 'ada@example.com', userVerification: 'preferred' },
    output: {
      challengeId,
      publicKey: {
        challenge: base64Url,
        timeout: 120_000,
        rpId: 'localhost',
        allowCredentials: [{ type: 'public-key', id: passkey.id, transports: ['hybrid', 'internal'] }],
        userVerification: 'preferred',
      },
    },
  },
  'passkeys.finishLogin': {
    input: {
      challengeId,
      credential: {
        ...credential,
        response: { clientDataJSON, authenticatorData: base64Url, signature: 'MEUCIQDh', userHandle: base64Url },
      },
    },
    output: tokenPair,
  },
  'passkeys.list': { input: {}, output: { credentials: [{ ...passkey, lastUsedAt: null }] } },
  'passkeys.rename': {
    input: { credentialId: passkey.id, name: 'Work laptop' },
    output: { success: true, credential: { ...passkey, name: 'Work laptop', lastUsedAt: null } },
  },
  'passkeys.remove': { input: { credentialId: passkey.id }, output: { success: true, message: 'Passkey removed' } },
  'internal.verify': {
    input: { serviceName: 'billing' },
    output: {
      valid: true,
      claims: {
        id: 7,
        email: 'ada@example.com',
        permissions: ['project.read'],
        token_use: 'access',
        device_id: null,
        trust_level: 'standard',
      },
    },
  },
}
