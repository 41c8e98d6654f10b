import { type Countersign, whenKnown } from '@countersign/core'
import type { Handlers } from '../mount.ts'

export const internalRoutes = ({ auth }: Countersign) =>
  ({
    'internal.verify': ({ input, token }) =>
      whenKnown(auth.introspectSoon({ ...input, token }), (claims) => ({ valid: true as const, claims })),
  }) satisfies Partial<Handlers>
