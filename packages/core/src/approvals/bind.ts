import { type ActionInput, type ActionOperation, type ActionTypeName, hostChosenName, type Input } from '@countersign/contract'
import type { CallingService } from '../identity/authentication/calling-service.ts'
import { checkCaller, checkCallerInSession, checkRequester, checkService } from '../identity/host-field-checks.ts'
import { useCaseBinders } from '../shared/bind-use-cases.ts'
import { checkChoice, clientChecks } from '../shared/check-input.ts'
import type { FromClient } from '../shared/from-client.ts'
import { fromCheck, storableText } from '../shared/input-schemas.ts'
import { bindRegistry } from '../shared/schema-registry/bind-registry.ts'
import { listVersions } from '../shared/schema-registry/read-versions.ts'
import { actionDescriber } from './action-display.ts'
import { type ActionType, type ActionTypeRegistry, actionTypeRegistry } from './action-types/action-type.ts'
import type { DefinedActionType } from './action-types/define-action-type.ts'
import { ensureActionType, ensureActionTypeShape } from './action-types/ensure-action-type.ts'
import { archiveConfirmations, archiveShape, countArchivable, countArchivableShape } from './archive/archive-confirmations.ts'
import type { AskedConfirmation, WithdrawnConfirmation } from './askers/asked-confirmation.ts'
import type { WithdrawnRequest } from './askers/asked-request.ts'
import { read } from './askers/read.ts'
import type { InitiatedConfirmation } from './confirmations/build-confirmation.ts'
import { initiate, type Requester } from './confirmations/initiate.ts'
import { listAllConfirmations, listAllConfirmationsShape } from './confirmations/list-all-confirmations.ts'
import { showConfirmation, showConfirmationShape } from './confirmations/show-confirmation.ts'
import { approve } from './decisions/approve.ts'
import { reject } from './decisions/reject.ts'
import type { ApprovalDeps, ByCaller, ByService } from './deps.ts'
import { gateMaker } from './doors/gate.ts'
import {
  type ConsumeApproval,
  type ConsumedApproval,
  type ConsumedApprovals,
  type ConsumeRequest,
  consume,
  consumeRequest,
  consumeRequestShape,
  consumeShape,
} from './doors/host.ts'
import { type RedeemedRequest, redeem, redeemRequest, type UseWithReceipt } from './doors/service.ts'
import { listOwnConfirmations } from './history/list-own-confirmations.ts'
import { listOwnRequests } from './history/list-own-requests.ts'
import { listPolicies, removePolicy, type SetPolicy, setPolicy, showPolicy } from './policies/administer-policies.ts'
import { dryRunPolicy, type PolicyDryRun } from './policies/dry-run-policy.ts'
import { listReceiptKeys, retireReceiptKey, revokeReceiptKey } from './receipts/keys.ts'
import { exportReceipt, readReceipt, receiptForService } from './receipts/read-receipt.ts'
import { policyPlaceShape, setPolicyShape } from './records/action-policy.ts'
import { type GivenPayload, readPayload } from './records/payload.ts'
import { readPending } from './requests/ask-later.ts'
import type { RequestView } from './requests/request-view.ts'
import { startRequest } from './requests/start-request.ts'
import { testPolicy, testPolicyShape } from './requests/test-policy.ts'
import { initiateForUser } from './services/initiate-for-user.ts'
import type { ConsumeWithin } from './use/host-transaction.ts'
import { readPasskeyVouching, readVouching } from './vouching/read-vouching.ts'
import { restartPasskeyVouching, restartVouching } from './vouching/restart-vouching.ts'
import { stop } from './withdrawals/stop.ts'
import { withdraw } from './withdrawals/withdraw.ts'

/** The input of an operation for an action of the type `T`; a host can pass the text of the payload too. */
type OfHost<N extends ActionOperation, T extends ActionTypeName> = ActionInput<N, T> & GivenPayload

/** Checks nothing, because `readPayload` made the member. */
const wasRead = () => undefined

export const bindApprovals = (given: Omit<ApprovalDeps, 'describeAction'>) => {
  const deps: ApprovalDeps = { ...given, describeAction: actionDescriber(given.storage.actionTypes) }
  const { checked, shaped } = useCaseBinders(deps)
  const initiateChecked = checked('confirmations.initiate', initiate, {
    caller: checkRequester,
    payload: wasRead,
    extended: checkChoice,
    ...clientChecks,
  })
  const initiateForUserChecked = checked('services.initiate', initiateForUser, {
    service: checkService,
    payload: wasRead,
    ...clientChecks,
  })
  const redeemChecked = checked('services.redeem', redeem, { service: checkService })
  const startChecked = checked('approvals.start', startRequest, { caller: checkRequester, payload: wasRead, ...clientChecks })
  const redeemRequestChecked = checked('services.redeemApproval', redeemRequest, { service: checkService })
  const consumeShaped = shaped(consumeShape, consume)
  const consumeRequestShaped = shaped(consumeRequestShape, consumeRequest)
  return {
    confirmations: {
      initiate: async <T extends ActionTypeName>(
        input: OfHost<'confirmations.initiate', T> &
          FromClient & { readonly caller: Requester; readonly extended?: boolean | undefined },
      ): Promise<InitiatedConfirmation> => initiateChecked(readPayload(input as Input<'confirmations.initiate'> & typeof input)),
      pending: shaped({ caller: fromCheck(checkCaller) }, readPending),
      status: checked<'confirmations.status', ByCaller<'confirmations.status', Requester>, AskedConfirmation>(
        'confirmations.status',
        read,
        {
          caller: checkCaller,
        },
      ),
      approve: checked('confirmations.verify', approve, { caller: checkCallerInSession }),
      reject: checked('confirmations.reject', reject, { caller: checkRequester }),
      withdraw: checked<'confirmations.withdraw', ByCaller<'confirmations.withdraw', Requester>, WithdrawnConfirmation>(
        'confirmations.withdraw',
        withdraw,
        { caller: checkRequester },
      ),
      listOwn: checked('confirmations.list', listOwnConfirmations, { caller: checkCallerInSession }),
      listAll: shaped(listAllConfirmationsShape, listAllConfirmations),
      archive: shaped(archiveShape, archiveConfirmations),
      countArchivable: shaped(countArchivableShape, countArchivable),
      show: shaped(showConfirmationShape, showConfirmation),
      consume: async <T extends ActionTypeName>(
        input: ConsumeApproval<T>,
        { client }: ConsumeWithin = {},
      ): Promise<ConsumedApproval> => consumeShaped({ ...readPayload(input), client }),
    },
    /** Approvals for other services, which authenticate by service tokens (`auth.authenticateService`). */
    services: {
      initiate: async <T extends ActionTypeName>(
        input: OfHost<'services.initiate', T> & FromClient & { readonly service: CallingService },
      ): Promise<InitiatedConfirmation> =>
        initiateForUserChecked(readPayload(input as Input<'services.initiate'> & typeof input)),
      confirmation: checked<'services.confirmation', ByService<'services.confirmation'>, AskedConfirmation>(
        'services.confirmation',
        read,
        { service: checkService },
      ),
      receipt: checked('services.receipt', receiptForService, { service: checkService }),
      withdraw: checked<'services.withdraw', ByService<'services.withdraw'>, WithdrawnConfirmation>(
        'services.withdraw',
        withdraw,
        { service: checkService },
      ),
      redeem: async <T extends ActionTypeName>(
        input: OfHost<'services.redeem', T> & { readonly service: CallingService },
      ): Promise<UseWithReceipt> => redeemChecked(readPayload(input as Input<'services.redeem'> & typeof input)),
    },
    /** Requests for approvals by several people. */
    approvalRequests: {
      start: async <T extends ActionTypeName>(
        input: OfHost<'approvals.start', T> & FromClient & { readonly caller: Requester },
      ): Promise<RequestView> => startChecked(readPayload(input as Input<'approvals.start'> & typeof input)),
      read: checked<'approvals.read', ByCaller<'approvals.read', Requester>, RequestView>('approvals.read', read, {
        caller: checkCaller,
      }),
      listOwn: checked('approvals.list', listOwnRequests, { caller: checkCallerInSession }),
      readForService: checked<'services.approval', ByService<'services.approval'>, RequestView>('services.approval', read, {
        service: checkService,
      }),
      withdraw: checked<'approvals.withdraw', ByCaller<'approvals.withdraw', Requester>, WithdrawnRequest>(
        'approvals.withdraw',
        withdraw,
        {
          caller: checkRequester,
        },
      ),
      stop: checked('approvals.stop', stop, { caller: checkCallerInSession }),
      withdrawForService: checked<'services.withdrawApproval', ByService<'services.withdrawApproval'>, WithdrawnRequest>(
        'services.withdrawApproval',
        withdraw,
        { service: checkService },
      ),
      redeem: async <T extends ActionTypeName>(
        input: OfHost<'services.redeemApproval', T> & { readonly service: CallingService },
      ): Promise<RedeemedRequest> => redeemRequestChecked(readPayload(input as Input<'services.redeemApproval'> & typeof input)),
      consume: async <T extends ActionTypeName>(
        input: ConsumeRequest<T>,
        { client }: ConsumeWithin = {},
      ): Promise<ConsumedApprovals> => consumeRequestShaped({ ...readPayload(input), client }),
    },
    /** The policies of action types, for an administrator. */
    actionPolicies: {
      set: shaped<SetPolicy, Awaited<ReturnType<typeof setPolicy>>>(setPolicyShape, setPolicy),
      list: () => listPolicies(deps),
      show: shaped(policyPlaceShape, showPolicy),
      test: shaped(testPolicyShape, testPolicy),
      dryRun: shaped<SetPolicy, PolicyDryRun>(setPolicyShape, dryRunPolicy),
      remove: shaped(policyPlaceShape, removePolicy),
    },
    receipts: {
      ofUser: checked('confirmations.receipt', readReceipt, { caller: checkCaller }),
      export: shaped({ confirmationId: storableText, tenant: hostChosenName.optional() }, exportReceipt),
      keys: () => listReceiptKeys(deps),
      retireKey: shaped({ kid: storableText }, retireReceiptKey),
      revokeKey: shaped({ kid: storableText, reason: storableText }, revokeReceiptKey),
    },
    /**
     * Makes a gate for an operation of the host; see `HostGate`.
     * @throws RangeError for another form of name, for the name of another gate, and for the name of an operation of Countersign
     * @throws TypeError without an `actionType` or a function `build`
     * @example
     * const transferGate = countersign.createGate<Transfer>({
     *   name: 'bank.transfer',
     *   actionType: 'payment_approval',
     *   build: ({ amount, recipient }) => ({ actionPayload: { amount, currency: 'EUR', recipient } }),
     * })
     * await transferGate({ caller, confirmationId: request.headers['confirmation-id'], action: transfer }, { client })
     */
    createGate: gateMaker(deps),
    actionTypes: {
      ...bindRegistry(actionTypeRegistry, deps),
      ensure: shaped<DefinedActionType, ActionType>(ensureActionTypeShape, ensureActionType),
      /**
       * Returns all versions of all registered action types.
       * @example const { actionTypes } = await countersign.actionTypes.list()
       */
      list: async (): Promise<ActionTypeRegistry> => {
        const { version, schemas } = await listVersions(actionTypeRegistry, deps)
        return { version, actionTypes: schemas }
      },
    },
    vouching: {
      read: checked('devices.vouching', readVouching, { caller: checkCallerInSession }),
      readOfPasskey: checked('passkeys.vouching', readPasskeyVouching, { caller: checkCallerInSession }),
      restart: checked('devices.vouch', restartVouching, { caller: checkCallerInSession, ...clientChecks }),
      restartOfPasskey: checked('passkeys.vouch', restartPasskeyVouching, { caller: checkCallerInSession, ...clientChecks }),
    },
  }
}
