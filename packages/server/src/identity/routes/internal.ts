import { type Countersign, whenKnown } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import type { KnownQuestions } from '../../verify-again.ts'
import { presentIntrospection } from '../serializers/introspection.ts'

/** @param questions Where those that were answered well are kept. */
export const internalRoutes = ({ auth }: Countersign, questions: KnownQuestions) =>
  ({
    'internal.verify': ({ input, token }) => {
      const ask = auth.introspector({ ...input, token })
      return whenKnown(ask(), (introspection) => {
        questions.keep(token, input.serviceName, ask)
        return presentIntrospection(introspection)
      })
    },
  }) satisfies Partial<Handlers>
