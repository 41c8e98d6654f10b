import type { Input } from '@countersign/contract'
import type { FromClient } from '../identity/login/from-client.ts'
import { useCaseBinders } from '../shared/bind-use-cases.ts'
import {
  checkAddress,
  checkCaller,
  checkCallerInSession,
  checkRequester,
  checkText,
  checkUserAgent,
} from '../shared/caller-checks.ts'
import { fromCheck } from '../shared/input-schemas.ts'
import { initiate, type Requester } from './confirmations/initiate.ts'
import { listPending } from './confirmations/list-pending.ts'
import { type GivenPayload, readPayload } from './confirmations/read-payload.ts'
import { readStatus } from './confirmations/read-status.ts'
import { reject } from './confirmations/reject.ts'
import { verify } from './confirmations/verify.ts'
import { type ConsumeApproval, type ConsumedApproval, type ConsumeWithin, consume, consumeShape } from './consumption/consume.ts'
import type { ApprovalDeps } from './deps.ts'
import { restartVouching } from './vouching/restart-vouching.ts'

/** Binds the use cases of approvals to the ports of a host. */
export const bindApprovals = (deps: ApprovalDeps) => {
  const { checked, shaped } = useCaseBinders(deps)
  const initiateChecked = checked('confirmations.initiate', initiate, {
    caller: checkRequester,
    actionPayloadText: checkText,
    address: checkAddress,
    userAgent: checkUserAgent,
  })
  const consumeShaped = shaped(consumeShape, consume)
  return {
    confirmations: {
      initiate: async (input: Input<'confirmations.initiate'> & GivenPayload & FromClient & { readonly caller: Requester }) =>
        initiateChecked(readPayload(input)),
      pending: shaped({ caller: fromCheck(checkCaller) }, listPending),
      status: checked('confirmations.status', readStatus, { caller: checkCaller }),
      verify: checked('confirmations.verify', verify, { caller: checkCallerInSession }),
      reject: checked('confirmations.reject', reject, { caller: checkCaller }),
      /**
       * Consumes an approval for an action of the host, once; see `ConsumeApproval`. With a `client`, the consumption is part of
       * the host's own PostgreSQL transaction.
       */
      consume: async (input: ConsumeApproval, { client }: ConsumeWithin = {}): Promise<ConsumedApproval> =>
        consumeShaped({ ...readPayload(input), client }),
    },
    vouching: {
      /** Starts the vouching for a device on probation again, on the request of a trusted device. */
      restart: checked('devices.vouch', restartVouching, {
        caller: checkCallerInSession,
        address: checkAddress,
        userAgent: checkUserAgent,
      }),
    },
  }
}
