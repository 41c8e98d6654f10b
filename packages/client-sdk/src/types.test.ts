import type { Action, Input } from '@countersign/contract'
import type { errors } from '@countersign/core'
import { describe, expectTypeOf, it } from 'vitest'
import type {
  Client,
  Confirmation,
  CountersignError,
  Device,
  ListedProject,
  Passkey,
  PendingConfirmation,
  Project,
  SettledApprovalRequest,
  SettledConfirmation,
} from './index.ts'

declare const client: Client
type PayloadOf<T extends Action['actionType']> = Extract<Action, { actionType: T }>['actionPayload']

// The compiler checks these functions. Nothing calls them.
describe('the type of a confirmation', () => {
  it('narrows the payload by the action type', () => {
    const narrowed = (confirmation: Confirmation | PendingConfirmation | SettledConfirmation) => {
      if (confirmation.actionType === 'payment_approval') {
        expectTypeOf(confirmation.actionPayload.amount).toEqualTypeOf<string | number>()
        expectTypeOf(confirmation.actionPayload.currency).toEqualTypeOf<
          string | number | boolean | unknown[] | { [name: string]: unknown }
        >()
        expectTypeOf(confirmation.actionPayload).toEqualTypeOf<PayloadOf<'payment_approval'>>()
      }
      if (confirmation.actionType === 'purchase_order') {
        expectTypeOf(confirmation.actionPayload.items).toEqualTypeOf<unknown[]>()
        expectTypeOf(confirmation.actionPayload).not.toEqualTypeOf<PayloadOf<'settings_change'>>()
      }
    }
    expectTypeOf(narrowed).toBeFunction()
  })

  it('has a payload of unknown members for action types that an operator registers', () => {
    type Registered<C extends { actionType: string }> = Exclude<C, { actionType: Action['actionType'] }>
    const read = (confirmation: Registered<Confirmation> | Registered<PendingConfirmation> | Registered<SettledConfirmation>) => {
      expectTypeOf(confirmation.actionType).toExtend<string>()
      expectTypeOf(confirmation.actionPayload).toEqualTypeOf<Readonly<Record<string, unknown>>>()
    }
    expectTypeOf<Registered<PendingConfirmation>>().not.toBeNever()
    expectTypeOf(read).toBeFunction()
  })

  it('narrows the payload of a list and of a status', () => {
    const read = async () => {
      const { confirmations } = await client.confirmations.pending()
      for (const confirmation of confirmations) {
        if (confirmation.actionType === 'user_access') expectTypeOf(confirmation.actionPayload).toHaveProperty('permissions')
      }
      const settled = await client.confirmations.settled('conf_1')
      expectTypeOf(settled.status).toEqualTypeOf<'approved' | 'rejected' | 'expired'>()
      if (settled.actionType === 'document_approval') expectTypeOf(settled.actionPayload).toHaveProperty('documentName')
    }
    expectTypeOf(read).toBeFunction()
  })

  it('demands the payload of the action type in an input', () => {
    type Request = Input<'confirmations.initiate'>
    expectTypeOf<{ actionType: 'password_change'; actionPayload: { userId: number; note: string } }>().toExtend<Request>()
    expectTypeOf<{ actionType: 'payment_approval'; actionPayload: { userId: number } }>().not.toExtend<Request>()
  })
})

describe('the refusal of a gate', () => {
  it('fits every method that asks for the approval, without a cast', () => {
    type Refusal = Pick<InstanceType<typeof errors.ConfirmationRequired>, 'details'>
    const ask = async ({ requiredAction }: CountersignError, { details }: Refusal) => {
      for (const action of [requiredAction, details]) {
        if (action === undefined) continue
        await client.confirmations.initiate(action)
        await client.approvalRequests.start(action)
        await (await client.confirmations.request(action)).settled()
        expectTypeOf((await client.approvalRequests.request(action)).settled()).resolves.toEqualTypeOf<SettledApprovalRequest>()
        expectTypeOf(client.confirmations.requestApproval(action)).resolves.toBeString()
      }
    }
    expectTypeOf(ask).toBeFunction()
    expectTypeOf<SettledApprovalRequest['status']>().toEqualTypeOf<'approved' | 'rejected' | 'expired' | 'redeemed'>()
  })
})

describe('the exported types', () => {
  it('equal the types of the outputs', () => {
    const read = async () => {
      expectTypeOf((await client.devices.list()).devices).toEqualTypeOf<Device[]>()
      expectTypeOf((await client.passkeys.list()).credentials).toEqualTypeOf<Passkey[]>()
      expectTypeOf((await client.projects.get({ uniqueCode: 'PRJ-1' })).data).toEqualTypeOf<Project>()
      expectTypeOf((await client.projects.list()).data).toEqualTypeOf<ListedProject[]>()
      expectTypeOf(await client.confirmations.status({ confirmationId: 'conf_1' })).toEqualTypeOf<Confirmation>()
    }
    expectTypeOf(read).toBeFunction()
  })

  it('refuse the members of a project that nobody can change', () => {
    type Changes = Parameters<Client['projects']['update']>[0]
    expectTypeOf<{ uniqueCode: string; name: string; description: null }>().toExtend<Changes>()
    expectTypeOf<{ uniqueCode: string; products: [] }>().not.toExtend<Changes>()
    expectTypeOf<{ uniqueCode: string; participantIds: string[] }>().not.toExtend<Changes>()
    expectTypeOf<Project & { uniqueCode: string }>().not.toExtend<Changes>()
  })

  it('name the keys by which projects can be sorted', () => {
    type SortKey = NonNullable<Input<'projects.list'>['sortBy']>
    expectTypeOf<'created_at' | 'createdAt' | 'name'>().toExtend<SortKey>()
    expectTypeOf<'color'>().not.toExtend<SortKey>()
  })

  it('let a program compare the codes of the service, known or newer', () => {
    const isExpired = ({ serviceCode }: CountersignError) =>
      serviceCode === 'confirmation_expired' || serviceCode === 'newer_code'
    expectTypeOf(isExpired).returns.toBeBoolean()
  })
})
