import { limits, type OptionalRateLimitCategory, type RateLimitCategory } from './vocabulary.ts'

/** The largest JSON body that an operation reads. */
export interface BodyLimit {
  /** Bytes of the body as sent. */
  readonly bytes: number
  /** Members of objects and items of lists, at all depths together. */
  readonly members: number
}

/** One row of the table that routes, client, OpenAPI document and tests are made from. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path template; `{name}` stands for the input member of that name. */
  readonly path: `/${string}`
  /** Whose error body a refusal has. */
  readonly service: 'authentication' | 'projects'
  /**
   * - `none`: public.
   * - `user`: an access token of a user, of any way to log in.
   * - `presented`: the bearer token is itself what is asked about.
   */
  readonly authentication: 'none' | 'user' | 'presented'
  readonly rateLimit: RateLimitCategory | OptionalRateLimitCategory
  /** `data`: the output stands in a member `data`. `bare`: the output is the body. */
  readonly envelope: 'data' | 'bare'
  readonly success: 200 | 201 | 204
  /** The limit of the JSON body. An operation of GET or DELETE has none. */
  readonly body?: BodyLimit
  /**
   * Statuses with which it refuses for reasons of its own. What any operation of its kind refuses (a bad body, a missing
   * token, a limit, a path member that names nothing) is not repeated.
   */
  readonly refusals?: readonly (401 | 403 | 404 | 409 | 410 | 429)[]
  /** Input members that travel in a header: member → header name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly summary: string
}

/** Enough for every field of the operation written with escapes, and 4096 items for the 4096 bytes of an action payload. */
const fields = { bytes: 16 * 1024, members: 4096 } as const satisfies BodyLimit

/** For bodies with a public key, a push token or the answer of an authenticator at a login. */
const keys = { bytes: 64 * 1024, members: 4096 } as const satisfies BodyLimit

/** For the attestation of a new passkey: up to 64 KiB, which is 87 KiB in base64. */
const attestation = { bytes: 128 * 1024, members: 4096 } as const satisfies BodyLimit

/** For a project with its products, whose attributes are free. */
const products = { bytes: limits.bodyBytes, members: limits.bodyMembers } as const satisfies BodyLimit

const authentication = { service: 'authentication', envelope: 'data', success: 200 } as const

/** Outputs of the project service spell their envelope of `data`, `message` and `meta` themselves. */
const projects = { service: 'projects', envelope: 'bare', success: 200, authentication: 'user', rateLimit: 'projects' } as const

/** Every operation of the HTTP interface. Path members come from the path, the rest from the JSON body, or from the query where there is none. */
export const operations = {
  'auth.login': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/login',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    refusals: [401],
    summary: 'Log in with email and password',
  },
  'auth.refresh': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/refresh',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    refusals: [401],
    summary: 'Exchange a refresh token, once, for the next token pair',
  },
  'auth.logout': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/logout',
    body: fields,
    authentication: 'user',
    rateLimit: 'authentication',
    summary: 'End the session of the bearer and of the refresh token',
  },
  'devices.list': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/devices',
    authentication: 'user',
    rateLimit: 'device-management',
    summary: 'List the registered devices of the user',
  },
  'devices.remove': {
    ...authentication,
    method: 'DELETE',
    path: '/api/v1/auth/devices/{deviceId}',
    authentication: 'user',
    rateLimit: 'device-management',
    summary: 'Remove a device and end its sessions',
  },
  'devices.setPushToken': {
    ...authentication,
    method: 'PUT',
    path: '/api/v1/auth/devices/push-token',
    body: keys,
    authentication: 'user',
    rateLimit: 'device-management',
    refusals: [404],
    summary: 'Set where a device is notified',
  },
  'devices.beginRegistration': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/devices/register/challenge',
    body: keys,
    authentication: 'user',
    rateLimit: 'device-registration',
    refusals: [409],
    summary: 'Announce a device key and get the challenge it must sign',
  },
  'devices.finishRegistration': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/devices/register/verify',
    body: fields,
    authentication: 'user',
    rateLimit: 'device-management',
    refusals: [401, 404, 409, 410],
    summary: 'Register the device by its signature of the challenge',
  },
  'mobile.beginLogin': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/mobile/challenge',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    summary: 'Get the challenge that a device signs to log in',
  },
  'mobile.finishLogin': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/mobile/biometric',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    refusals: [401],
    summary: 'Log in by a device signature',
  },
  'mobile.refresh': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/mobile/refresh',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    refusals: [401],
    summary: 'Exchange a biometric refresh token, once, for the next token pair',
  },
  'passkeys.beginRegistration': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/webauthn/register/begin',
    body: fields,
    authentication: 'user',
    rateLimit: 'authentication',
    refusals: [409],
    summary: 'Get what a browser needs to create a passkey',
  },
  'passkeys.finishRegistration': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/webauthn/register/finish',
    body: attestation,
    authentication: 'user',
    rateLimit: 'authentication',
    refusals: [401, 404, 409, 410],
    summary: 'Register the passkey that was created',
  },
  'passkeys.beginLogin': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/webauthn/login/begin',
    body: fields,
    authentication: 'none',
    rateLimit: 'authentication',
    summary: 'Get what a browser needs to sign in with a passkey',
  },
  'passkeys.finishLogin': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/webauthn/login/finish',
    body: keys,
    authentication: 'none',
    rateLimit: 'authentication',
    refusals: [401],
    summary: 'Log in with a passkey',
  },
  'passkeys.list': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/webauthn/credentials',
    authentication: 'user',
    rateLimit: 'authentication',
    summary: 'List the passkeys of the user',
  },
  'passkeys.rename': {
    ...authentication,
    method: 'PATCH',
    path: '/api/v1/auth/webauthn/credentials/{credentialId}',
    body: fields,
    authentication: 'user',
    rateLimit: 'authentication',
    summary: 'Give a passkey another name',
  },
  'passkeys.remove': {
    ...authentication,
    method: 'DELETE',
    path: '/api/v1/auth/webauthn/credentials/{credentialId}',
    authentication: 'user',
    rateLimit: 'authentication',
    summary: 'Remove a passkey and end its sessions',
  },
  'confirmations.initiate': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/initiate',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    summary: 'Ask for an action to be confirmed on a registered device',
  },
  'confirmations.pending': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/confirmation/pending',
    authentication: 'user',
    rateLimit: 'confirmation-reading',
    refusals: [403],
    summary: 'What waits for the signature of this device, newest first',
  },
  'confirmations.status': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/confirmation/{confirmationId}/status',
    authentication: 'user',
    rateLimit: 'confirmation-reading',
    summary: 'Read the state of a confirmation',
  },
  'confirmations.verify': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/{confirmationId}/verify',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    refusals: [403, 410],
    summary: 'Approve a confirmation by a device signature, once',
  },
  'confirmations.reject': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/{confirmationId}/reject',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    refusals: [410],
    summary: 'Reject a confirmation',
  },
  'internal.verify': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/internal/verify',
    authentication: 'presented',
    rateLimit: 'internal',
    headers: { serviceName: 'X-Service-Name' },
    summary: 'Is this token good, now?',
  },
  'health.check': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/health',
    authentication: 'none',
    rateLimit: 'health',
    summary: 'Health of the service and of what it stands on',
  },
  'projects.list': {
    ...projects,
    method: 'GET',
    path: '/api/v1/projects',
    refusals: [403],
    summary: 'List projects: filtered, searched, sorted, page by page',
  },
  'projects.get': {
    ...projects,
    method: 'GET',
    path: '/api/v1/projects/{uniqueCode}',
    refusals: [403],
    summary: 'Show a project with everything that belongs to it',
  },
  'projects.create': {
    ...projects,
    method: 'POST',
    path: '/api/v1/projects',
    body: products,
    success: 201,
    refusals: [403, 409],
    summary: 'Create a project with its products and participants',
  },
  'projects.update': {
    ...projects,
    method: 'PATCH',
    path: '/api/v1/projects/{uniqueCode}',
    body: products,
    refusals: [403],
    summary: 'Change some members of a project',
  },
  'projects.approve': {
    ...projects,
    method: 'PUT',
    path: '/api/v1/projects/{uniqueCode}/approved',
    body: fields,
    refusals: [403],
    summary: 'Approve a project',
  },
  'projects.setProgress': {
    ...projects,
    method: 'PATCH',
    path: '/api/v1/projects/{uniqueCode}/progress',
    body: fields,
    refusals: [403],
    summary: 'Move a project to a stage of progress',
  },
  'projects.remove': {
    ...projects,
    method: 'DELETE',
    path: '/api/v1/projects/{uniqueCode}',
    success: 204,
    refusals: [403],
    summary: 'Delete a project; its record is kept',
  },
  'projects.countResources': {
    ...projects,
    method: 'GET',
    path: '/api/v1/projects/{uniqueCode}/count-resources',
    refusals: [403],
    summary: 'Count the resources of a project by type and status',
  },
  'projects.sumExpenses': {
    ...projects,
    method: 'GET',
    path: '/api/v1/projects/{uniqueCode}/expenses_count',
    refusals: [403],
    summary: 'Sum the expenses of a project by category',
  },
  'productSchemas.list': {
    ...projects,
    method: 'GET',
    path: '/api/v1/product-schemas',
    summary: 'List the registered product schemas',
  },
  'productSchemas.ofType': {
    ...projects,
    method: 'GET',
    path: '/api/v1/product-schemas/{type}',
    summary: 'List the registered versions of one product type',
  },
} as const satisfies Record<string, Operation>

/** The name of an operation: `<noun>.<verb>`. */
export type OperationName = keyof typeof operations
