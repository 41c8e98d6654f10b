import type { Input } from '@countersign/contract'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createDeviceClient } from '../testing/device-client.ts'

type PayloadOf<T extends Input<'confirmations.initiate'>['actionType']> = Extract<
  Input<'confirmations.initiate'>,
  { readonly actionType: T }
>['actionPayload']

interface Recipient {
  readonly name: string
}

describe('the required members of a payload', () => {
  it('have any type that the service accepts', async () => {
    const { client } = await createDeviceClient()
    const recipient: Recipient = { name: 'ACME GmbH' }
    const requested = [
      client.confirmations.request({
        actionType: 'payment_approval',
        actionPayload: { amount: '12.50', currency: 978, recipient },
      }),
      client.confirmations.request({
        actionType: 'document_approval',
        actionPayload: { documentId: 7, documentName: 'Contract' },
      }),
      client.confirmations.request({ actionType: 'user_access', actionPayload: { userId: 7, permissions: 'project.read' } }),
    ]
    for (const { confirmationId } of await Promise.all(requested)) expect(confirmationId).toMatch(/^conf_/)
  })

  it('are neither missing nor null, and amounts and lists have their own types', () => {
    expectTypeOf<{ amount: 0; currency: 'EUR'; recipient: Recipient }>().toExtend<PayloadOf<'payment_approval'>>()
    expectTypeOf<{ amount: 0; currency: 'EUR'; recipient: null }>().not.toExtend<PayloadOf<'payment_approval'>>()
    expectTypeOf<{ amount: 0; currency: 'EUR' }>().not.toExtend<PayloadOf<'payment_approval'>>()
    expectTypeOf<{ amount: true; currency: 'EUR'; recipient: 'A' }>().not.toExtend<PayloadOf<'payment_approval'>>()
    expectTypeOf<{ amount: 0; supplier: 'A'; items: 'paper' }>().not.toExtend<PayloadOf<'purchase_order'>>()
    expectTypeOf<{ settingKey: 'k'; oldValue: null; newValue: 1 }>().toExtend<PayloadOf<'settings_change'>>()
  })
})
