import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeLoginChallenge } from '../serializers/challenge.ts'
import { serializeDeviceLogin } from '../serializers/token-pair.ts'

export const mobileHandlers = ({ mobile }: Pick<CountersignIdentity, 'mobile'>) =>
  ({
    'mobile.beginLogin': async ({ input }) => serializeLoginChallenge(await mobile.beginLogin(input)),
    'mobile.finishLogin': async ({ input, client, facts }) =>
      serializeDeviceLogin(await mobile.finishLogin({ ...input, ...client }), facts),
    'mobile.refresh': async ({ input, facts }) => serializeDeviceLogin(await mobile.refresh(input), facts),
  }) satisfies Partial<OperationHandlers>
