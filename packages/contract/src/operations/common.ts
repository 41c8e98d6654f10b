import { limits } from '../vocabulary.ts'
import type { BodyLimit } from './operation.ts'

/** Enough for every field of the operation written with escapes, and 4096 items for the 4096 bytes of an action payload. */
export const fields = { bytes: 16 * 1024, members: 4096 } as const satisfies BodyLimit

/** For bodies with a public key, a push token or the answer of an authenticator at a login. */
export const keys = { bytes: 64 * 1024, members: 4096 } as const satisfies BodyLimit

/** For the attestation of a new passkey: up to 64 KiB, which is 87 KiB in base64. */
export const attestation = { bytes: 128 * 1024, members: 4096 } as const satisfies BodyLimit

/** For a project with its products, whose attributes are free. */
export const products = { bytes: limits.bodyBytes, members: limits.bodyMembers } as const satisfies BodyLimit

/** Outputs of the authentication service stand in a member `data`. */
export const authentication = { service: 'authentication', envelope: 'data', success: 200 } as const

/** Outputs of the project service spell their envelope of `data`, `message` and `meta` themselves. */
export const projects = {
  service: 'projects',
  envelope: 'bare',
  success: 200,
  authentication: 'user',
  rateLimit: 'projects',
} as const
