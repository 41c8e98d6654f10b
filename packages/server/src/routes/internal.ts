import { type Countersign, whenKnown } from '@countersign/core'
import type { Handlers } from '../mount.ts'
import { presentIntrospection } from '../present/introspection.ts'

export const internalRoutes = ({ auth }: Countersign) =>
  ({
    'internal.verify': ({ input, token }) => whenKnown(auth.introspector({ ...input, token })(), presentIntrospection),
  }) satisfies Partial<Handlers>
