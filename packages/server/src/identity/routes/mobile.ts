import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { presentLoginChallenge } from '../serializers/challenge.ts'
import { presentDeviceLogin } from '../serializers/token-pair.ts'

export const mobileHandlers = ({ mobile }: Pick<CountersignIdentity, 'mobile'>) =>
  ({
    'mobile.beginLogin': async ({ input }) => presentLoginChallenge(await mobile.beginLogin(input)),
    'mobile.finishLogin': async ({ input, client }) => presentDeviceLogin(await mobile.finishLogin({ ...input, ...client })),
    'mobile.refresh': async ({ input }) => presentDeviceLogin(await mobile.refresh(input)),
  }) satisfies Partial<OperationHandlers>
