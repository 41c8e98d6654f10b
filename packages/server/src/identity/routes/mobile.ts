import type { Countersign } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import { presentLoginChallenge } from '../serializers/challenge.ts'
import { presentDeviceLogin } from '../serializers/token-pair.ts'

export const mobileRoutes = ({ mobile }: Countersign) =>
  ({
    'mobile.beginLogin': async ({ input }) => presentLoginChallenge(await mobile.beginLogin(input)),
    'mobile.finishLogin': async ({ input, clientAddress }) =>
      presentDeviceLogin(await mobile.finishLogin({ ...input, address: clientAddress })),
    'mobile.refresh': async ({ input }) => presentDeviceLogin(await mobile.refresh(input)),
  }) satisfies Partial<Handlers>
