import { limits } from '../limits.ts'
import type { BodyLimit } from './operation.ts'

/** The body limit for short fields, also written with escapes; 4096 items fill an action payload of 4096 bytes. */
export const fields = { bytes: 16 * 1024, members: 4096 } as const satisfies BodyLimit

/** The body limit for a public key, a push token or a passkey login. */
export const keys = { bytes: 64 * 1024, members: 4096 } as const satisfies BodyLimit

/** The body limit for the attestation of a new passkey: up to 64 KiB, which is 87 KiB in base64. */
export const attestation = { bytes: 128 * 1024, members: 4096 } as const satisfies BodyLimit

/** The body limit for a project with its products, whose attributes can have any form. */
export const products = { bytes: limits.bodyBytes, members: limits.bodyMembers } as const satisfies BodyLimit

/** The operations of the authentication service have outputs in a member `data`. */
export const authentication = { service: 'authentication', envelope: 'data', success: 200 } as const

/** The operations of the authentication service with a body, of short fields unless they say another. */
export const posted = { ...authentication, method: 'POST', body: fields } as const

export const read = { ...authentication, method: 'GET' } as const

/** The operations by which a user asks for an approval or gives one. */
export const confirming = { ...posted, authentication: 'user', rateLimit: 'confirmation' } as const

/** The operations by which a user reads a state that waits for a decision. */
export const reading = { ...read, authentication: 'user', rateLimit: 'confirmation-reading' } as const

export const listing = { ...read, authentication: 'user', rateLimit: 'device-management' } as const

/** The operations by which a user ends, rejects or withdraws. No thief with another session can use up a limit of theirs. */
export const ending = { ...posted, authentication: 'user', rateLimit: 'unlimited' } as const

export const removing = { ...authentication, method: 'DELETE', authentication: 'user', rateLimit: 'unlimited' } as const

export const signingIn = { ...posted, authentication: 'none', rateLimit: 'authentication' } as const

export const postedByService = { ...posted, authentication: 'service', rateLimit: 'internal' } as const
export const readByService = { ...read, authentication: 'service', rateLimit: 'internal' } as const

/** The operations of the project service have outputs with `data`, `message` and `meta` in their own schemas. */
export const projects = {
  service: 'projects',
  envelope: 'bare',
  success: 200,
  authentication: 'user',
  rateLimit: 'projects',
} as const

export const readProjects = { ...projects, method: 'GET' } as const

/** The header of the operations that a gate of the host can guard: the approval of exactly this call. */
export const gated = { confirmationId: 'Confirmation-Id' } as const
