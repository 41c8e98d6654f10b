import type { Countersign } from '@countersign/core'
import type { Handlers } from '../mount.ts'

export const internalRoutes = ({ auth }: Countersign) =>
  ({
    'internal.verify': async ({ input, token }) => ({ valid: true, claims: await auth.introspect({ ...input, token }) }),
  }) satisfies Partial<Handlers>
