import type { Countersign } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import { presentIntrospection } from '../serializers/introspection.ts'

export const internalRoutes = ({ auth }: Countersign) =>
  ({
    'internal.verify': async ({ input, token }) => presentIntrospection(await auth.introspect({ ...input, token })),
  }) satisfies Partial<Handlers>
