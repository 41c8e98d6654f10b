import { type Action, JsonText, type Output, type Statement } from '@countersign/contract'
import type { ConfirmationView, CountersignApprovals, WithdrawnConfirmation } from '@countersign/core'
import { type Given, WithJsonText } from '../../http/json-text.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'

type ActionWithText = Exclude<Given<Action>, JsonText<Action>>

/** Returns the action with the stored text of its payload. The text was checked against the action type when it was stored. */
export const actionOf = ({
  actionType,
  actionPayloadText,
}: Pick<ConfirmationView, 'actionType' | 'actionPayloadText'>): ActionWithText =>
  ({ actionType, actionPayload: new JsonText(actionPayloadText) }) as ActionWithText

export const namedWithdrawn = ({ id, withdrawnAt }: WithdrawnConfirmation) =>
  ({ success: true, confirmationId: id, status: 'expired', withdrawnAt }) as const

const pendingOf = (views: readonly ConfirmationView[]) =>
  new WithJsonText<Output<'confirmations.pending'>>({
    confirmations: views.map((view) => ({
      ...view,
      confirmationId: view.id,
      ...actionOf(view),
      statement: new JsonText<Statement>(view.statementText),
      requestedFrom: view.requestedFrom && { ...view.requestedFrom, at: view.createdAt },
    })),
  })

export const confirmationHandlers = ({ confirmations, vouching }: Pick<CountersignApprovals, 'confirmations' | 'vouching'>) =>
  ({
    'confirmations.initiate': async ({ input, caller, sourceOf, client, extended }) => {
      const actionPayloadText = sourceOf('actionPayload')
      const asked = { ...input, ...client, caller, actionPayloadText, extended }
      const { id, matchNumber, ...initiated } = await confirmations.initiate(asked)
      return { ...initiated, confirmationId: id, ...(matchNumber === null ? {} : { matchNumber }) }
    },
    'confirmations.pending': async ({ caller }) => pendingOf(await confirmations.pending({ caller })),
    'confirmations.list': async ({ input, caller }) => {
      const { items, next } = await confirmations.listOwn({ ...input, caller })
      return new WithJsonText<Output<'confirmations.list'>>({
        confirmations: items.map((one) => ({ ...one, confirmationId: one.id, ...actionOf(one) })),
        nextCursor: next,
      })
    },
    'confirmations.status': async ({ input, caller }) => {
      const view = await confirmations.status({ ...input, caller })
      return new WithJsonText<Output<'confirmations.status'>>({ ...view, confirmationId: view.id, ...actionOf(view) })
    },
    'confirmations.verify': async ({ input, caller }) => {
      await confirmations.approve({ ...input, caller })
      return { success: true, confirmationId: input.confirmationId, status: 'approved' }
    },
    'confirmations.reject': async ({ input, caller }) => {
      const { sessionEnded } = await confirmations.reject({ ...input, caller })
      return { success: true, confirmationId: input.confirmationId, status: 'rejected', sessionEnded }
    },
    'confirmations.withdraw': async ({ input, caller }) => namedWithdrawn(await confirmations.withdraw({ ...input, caller })),
    'devices.vouching': async ({ input, caller }) => vouching.read({ ...input, caller }),
    'passkeys.vouching': async ({ input, caller }) => vouching.readOfPasskey({ ...input, caller }),
    'devices.vouch': async ({ input, caller, client }) => vouching.restart({ ...input, ...client, caller }),
    'passkeys.vouch': async ({ input, caller, client }) => vouching.restartOfPasskey({ ...input, ...client, caller }),
  }) satisfies Partial<OperationHandlers>
