import {
  type ActionInput,
  type ActionOperation,
  type ActionTypeName,
  hostChosenName,
  type Input,
  type OperationName,
} from '@countersign/contract'
import { checkCaller, checkCallerInSession, checkRequester, checkService } from '../identity/host-field-checks.ts'
import { type Flat, type HostFieldChecks, useCaseBinders } from '../shared/bind-use-cases.ts'
import { checkChoice, clientChecks, type HostFieldCheck } from '../shared/check-input.ts'
import { fromCheck, storableText } from '../shared/input-schemas.ts'
import { bindRegistry } from '../shared/schema-registry/bind-registry.ts'
import { listVersions } from '../shared/schema-registry/read-versions.ts'
import { actionDescriber } from './action-display.ts'
import { type ActionType, type ActionTypeRegistry, actionTypeRegistry } from './action-types/action-type.ts'
import type { DefinedActionType } from './action-types/define-action-type.ts'
import { ensureActionType, ensureActionTypeShape } from './action-types/ensure-action-type.ts'
import { archiveConfirmations, archiveShape, countArchivable, countArchivableShape } from './archive/archive-confirmations.ts'
import { readConfirmation, readRequest } from './askers/read.ts'
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
import { redeem, redeemRequest } from './doors/service.ts'
import { listOwnConfirmations } from './history/list-own-confirmations.ts'
import { listOwnRequests } from './history/list-own-requests.ts'
import { removePolicy, type SetPolicy, setPolicy, showPolicy } from './policies/administer-policies.ts'
import { dryRunPolicy, type PolicyDryRun } from './policies/dry-run-policy.ts'
import { listPolicies } from './policies/policy-of.ts'
import { listReceiptKeys, retireReceiptKey, revokeReceiptKey } from './receipts/keys.ts'
import { exportReceipt, readReceipt, receiptForService } from './receipts/read-receipt.ts'
import { policyPlaceShape, setPolicyShape } from './records/action-policy.ts'
import { type GivenPayload, readPayload } from './records/payload.ts'
import { readPending } from './requests/ask-later.ts'
import { startRequest } from './requests/start-request.ts'
import { testPolicy, testPolicyShape } from './requests/test-policy.ts'
import { initiateForUser } from './services/initiate-for-user.ts'
import type { ConsumeWithin } from './use/host-transaction.ts'
import { readPasskeyVouching, readVouching } from './vouching/read-vouching.ts'
import { restartPasskeyVouching, restartVouching } from './vouching/restart-vouching.ts'
import { stop } from './withdrawals/stop.ts'
import { withdrawConfirmation, withdrawRequest } from './withdrawals/withdraw.ts'

/** A use case of an action of the type `T`. A host can pass the text of the payload too. */
type OfAction<N extends ActionOperation, Host, R> = <T extends ActionTypeName>(
  input: ActionInput<N, T> & GivenPayload & Host,
) => Promise<R>

/** Checks nothing, because `readPayload` made the member. */
const wasRead = () => undefined

export const bindApprovals = (given: Omit<ApprovalDeps, 'describeAction'>) => {
  const deps: ApprovalDeps = { ...given, describeAction: actionDescriber(given.storage.actionTypes) }
  const { checked, shaped } = useCaseBinders(deps)

  /** Binds a use case of an action: reads the payload, then checks the input. */
  const ofAction = <N extends ActionOperation, I, R>(
    operation: N,
    useCase: (deps: ApprovalDeps, input: I) => Promise<R>,
    host: HostFieldChecks<N, I>,
  ): OfAction<N, Flat<Omit<I, keyof Input<N> | 'payload'>>, R> => {
    const bound = checked(operation, useCase, host) as (input: GivenPayload) => Promise<R>
    return async (input) => bound(readPayload(input))
  }
  /** Binds for users a use case that users and services share. */
  const byCaller = <N extends OperationName, R>(
    operation: N,
    useCase: (deps: ApprovalDeps, input: ByCaller<N, Requester>) => Promise<R>,
    caller: HostFieldCheck,
  ) => checked<N, ByCaller<N, Requester>, R>(operation, useCase, { caller } as HostFieldChecks<N, ByCaller<N, Requester>>)
  const byService = <N extends OperationName, R>(
    operation: N,
    useCase: (deps: ApprovalDeps, input: ByService<N>) => Promise<R>,
  ) => checked<N, ByService<N>, R>(operation, useCase, { service: checkService } as HostFieldChecks<N, ByService<N>>)

  const consumeShaped = shaped(consumeShape, consume)
  const consumeRequestShaped = shaped(consumeRequestShape, consumeRequest)
  const asking = { caller: checkRequester, payload: wasRead, ...clientChecks }
  return {
    confirmations: {
      initiate: ofAction('confirmations.initiate', initiate, { ...asking, extended: checkChoice }),
      pending: shaped({ caller: fromCheck(checkCaller) }, readPending),
      status: byCaller('confirmations.status', readConfirmation, checkCaller),
      approve: checked('confirmations.verify', approve, { caller: checkCallerInSession }),
      reject: checked('confirmations.reject', reject, { caller: checkRequester }),
      withdraw: byCaller('confirmations.withdraw', withdrawConfirmation, checkRequester),
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
      initiate: ofAction('services.initiate', initiateForUser, { service: checkService, payload: wasRead, ...clientChecks }),
      confirmation: byService('services.confirmation', readConfirmation),
      receipt: byService('services.receipt', receiptForService),
      withdraw: byService('services.withdraw', withdrawConfirmation),
      redeem: ofAction('services.redeem', redeem, { service: checkService }),
    },
    /** Requests for approvals by several people. */
    approvalRequests: {
      start: ofAction('approvals.start', startRequest, asking),
      read: byCaller('approvals.read', readRequest, checkCaller),
      listOwn: checked('approvals.list', listOwnRequests, { caller: checkCallerInSession }),
      readForService: byService('services.approval', readRequest),
      withdraw: byCaller('approvals.withdraw', withdrawRequest, checkRequester),
      stop: checked('approvals.stop', stop, { caller: checkCallerInSession }),
      withdrawForService: byService('services.withdrawApproval', withdrawRequest),
      redeem: ofAction('services.redeemApproval', redeemRequest, { service: checkService }),
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
