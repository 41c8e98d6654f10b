import type { OperationName } from '../operations/index.ts'
import type { Input, Output } from '../shapes.ts'

/**
 * An example request and response of each operation, as the document shows them. Tests send these requests. For values that
 * only a running server can give (tokens, challenges, signatures, ids), the tests use real values.
 */
export type Examples = { readonly [N in OperationName]: { readonly input: Input<N>; readonly output: Output<N> } }

const noon = '2026-01-31T12:00:00.000Z'
const sixMinutesLater = '2026-01-31T12:06:00.000Z'
const token = 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImsxIn0.eyJzdWIiOiI3In0.c2lnbmF0dXJl'
const challenge = `${'q83v'.repeat(21)}qw==`
/** 64 bytes. */
const base64Url = challenge.replace('==', '')
const signature = 'MEUCIQDh2QdnM1zYpxQyJx0cXl2uYb8Yc6l8sX3tq8bY0Q7n4AIgPq0c1l4k5m6n7o8p9q0r1s2t3u4v5w6x7y8z9A0B1C0'
const deviceId = '5b0f3c1e-8a54-4d0f-9d0e-2f7c7b1f6a11'
const sessionId = '0c9f9f0e-6d7b-4a3c-8f0a-7a1f5f3f8f22'
const confirmationId = 'conf_7f1b0a3e-52a9-4f0e-8b8a-3f7d1c2e9d33'
const projectCode = 'PRJ-2026-000042'

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

const attributes = {
  name: 'Load monitor',
  version: '1.2.3',
  licenseType: 'subscription',
  deployment: { type: 'cloud', platforms: ['linux'] },
}

const passkey = {
  id: 'xq3f5pGkT9m0bqOaJvR2sUe1Wn8',
  name: 'Passkey of 31 January 2026',
  createdAt: noon,
  transports: ['hybrid', 'internal'],
  backedUp: true,
}

const challengeId = sessionId

/** The response of a browser to the passkey options; its parts are base64url. */
const credential = { id: passkey.id, rawId: passkey.id, type: 'public-key' } as const
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'

const payment = { amount: 1250, currency: 'EUR', recipient: "Ada's Workshop" }

const listedProject = {
  id: '0197f3c2-7b1e-7c2a-9b5e-1f2a3b4c5d6e',
  uniqueCode: projectCode,
  name: 'A bridge',
  status: 'pending',
  progress: 'technical_negotiating',
  contractValue: 125_000,
  currency: 'EUR',
  description: 'Over the river',
  replyDate: '2026-03-01T00:00:00.000Z',
  customerId: '0197f3c2-0000-7c2a-9b5e-1f2a3b4c5d6e',
  creatorId: '7',
  createdAt: noon,
  updatedAt: noon,
} as const

const { customerId, creatorId, ...common } = listedProject

const project = {
  ...common,
  customer: { id: customerId, name: 'Riverside Council', email: 'works@riverside.example' },
  creator: { id: creatorId, name: 'Ada', email: 'ada@example.com' },
  tasks: [],
  products: [
    {
      id: '0197f3c2-7b1f-7c2a-9b5e-1f2a3b4c5d6e',
      name: 'Load monitor',
      productType: 'software',
      description: '',
      attributes,
      schemaVersion: '1.0.0',
    },
  ],
  participants: [],
}

const registry = {
  data: {
    version: '2',
    schemas: [
      {
        type: 'software',
        key: 'product_schema:software:v1.0.0',
        version: '1.0.0',
        title: 'Software',
        active: true,
        requiredFields: ['name', 'version', 'licenseType'],
      },
    ],
  },
}

export const examples: Examples = {
  'auth.login': { input: { email: 'ada@example.com', password: 'correct horse battery staple' }, output: tokenPair },
  'auth.refresh': { input: { refreshToken: token }, output: tokenPair },
  'auth.logout': { input: { refreshToken: token }, output: { success: true, message: 'Logged out' } },
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
  'devices.finishRegistration': {
    input: { sessionId, signedChallenge: signature },
    output: { success: true, deviceId, device },
  },
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
  'confirmations.initiate': {
    input: { actionType: 'payment_approval', actionPayload: payment },
    output: { confirmationId, challenge, expiresAt: sixMinutesLater },
  },
  'confirmations.pending': {
    input: {},
    output: {
      confirmations: [
        {
          confirmationId,
          userId: 7,
          actionType: 'payment_approval',
          actionPayload: payment,
          challenge,
          nonce: challenge,
          createdAt: noon,
          expiresAt: sixMinutesLater,
        },
      ],
    },
  },
  'confirmations.status': {
    input: { confirmationId },
    output: {
      confirmationId,
      status: 'pending',
      actionType: 'payment_approval',
      actionPayload: payment,
      createdAt: noon,
      expiresAt: sixMinutesLater,
      updatedAt: noon,
    },
  },
  'confirmations.verify': {
    input: { confirmationId, deviceId, signedChallenge: signature },
    output: { success: true, confirmationId, status: 'approved' },
  },
  'confirmations.reject': {
    input: { confirmationId, reason: 'Not my invoice' },
    output: { success: true, confirmationId, status: 'rejected' },
  },
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
  'health.check': {
    input: {},
    output: {
      status: 'healthy',
      timestamp: noon,
      version: '1.0.0',
      services: { database: 'healthy', cache: 'not_configured', push_provider: 'not_configured' },
      uptime: 3600,
    },
  },
  'projects.list': {
    input: { page: 1, limit: 10, search: 'bridge', sortBy: 'created_at', sortOrder: 'desc', status: 'pending' },
    output: { data: [listedProject], meta: { page: 1, limit: 10, total: 1, totalPages: 1 } },
  },
  'projects.get': { input: { uniqueCode: projectCode }, output: { data: project } },
  'projects.create': {
    input: {
      name: 'A bridge',
      customerId,
      contractValue: 125_000,
      currency: 'EUR',
      description: 'Over the river',
      replyDate: '2026-03-01T00:00:00Z',
      products: [
        {
          name: 'Load monitor',
          productType: 'software',
          attributes,
        },
      ],
    },
    output: { data: project, message: 'Project created' },
  },
  'projects.update': {
    input: { uniqueCode: projectCode, name: 'A longer bridge', contractValue: 150_000 },
    output: { data: { ...project, name: 'A longer bridge', contractValue: 150_000 }, message: 'Project updated' },
  },
  'projects.approve': {
    input: { uniqueCode: projectCode },
    output: { data: { ...project, status: 'approved' }, message: 'Project approved' },
  },
  'projects.setProgress': {
    input: { uniqueCode: projectCode, progress: 'bidding' },
    output: { data: { ...project, progress: 'bidding' }, message: 'Project progress updated' },
  },
  'projects.remove': { input: { uniqueCode: projectCode }, output: undefined },
  'projects.countResources': {
    input: { uniqueCode: projectCode, resourceTypes: ['Task', 'Delivery'] },
    output: {
      data: [
        { type: 'Task', count: 3, status: 'open' },
        { type: 'Delivery', count: 0, status: 'none' },
      ],
    },
  },
  'projects.sumExpenses': {
    input: { uniqueCode: projectCode },
    output: { data: { totalExpenses: 1500.5, currency: 'EUR', breakdown: { materials: 1000.5, labor: 500, overhead: 0 } } },
  },
  'productSchemas.list': { input: {}, output: registry },
  'productSchemas.ofType': { input: { type: 'software' }, output: registry },
}
