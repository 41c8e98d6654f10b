import type { OperationName } from '../../operations/index.ts'
import type { Input, Output } from '../../shapes.ts'

/** Values that the examples of several parts share. */

export const noon = '2026-01-31T12:00:00.000Z'
export const sixMinutesLater = '2026-01-31T12:06:00.000Z'
/** 64 bytes in base64. */
export const challenge = `${'q83v'.repeat(21)}qw==`
export const signature = 'MEUCIQDh2QdnM1zYpxQyJx0cXl2uYb8Yc6l8sX3tq8bY0Q7n4AIgPq0c1l4k5m6n7o8p9q0r1s2t3u4v5w6x7y8z9A0B1C0'
export const deviceId = '5b0f3c1e-8a54-4d0f-9d0e-2f7c7b1f6a11'

/** An example request and response of each operation. Tests send these requests, with real tokens, signatures and ids. */
export type Examples<N extends OperationName = OperationName> = {
  readonly [Name in N]: { readonly input: Input<Name>; readonly output: Output<Name> }
}
