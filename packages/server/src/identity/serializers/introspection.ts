import type { Output } from '@countersign/contract'
import type { Introspection } from '@countersign/core'

export const serializeIntrospection = (claims: Introspection): Output<'internal.verify'> => ({ valid: true, claims })
