import { CountersignError, type Introspection, type ServiceClient, type Verifier } from '@countersign/client-sdk/verifier'
import { Hono } from 'hono'
import { actionOf, type Ledger } from './ledger.ts'
import { settleTransfer } from './settle-transfer.ts'

/** The dependencies of the payment service: two clients of Countersign, and its own ledger. */
export interface PaymentService {
  readonly verifier: Verifier
  readonly countersign: ServiceClient
  readonly ledger: Ledger
}

const readTransfer = (body: unknown): { readonly recipient: string; readonly cents: number } | undefined => {
  const { recipient, cents } = Object(body) as { readonly recipient?: unknown; readonly cents?: unknown }
  const isRight = typeof recipient === 'string' && /^[\p{L}\p{N} ]{1,70}$/u.test(recipient) && Number.isSafeInteger(cents)
  return isRight && Number(cents) > 0 ? { recipient, cents: Number(cents) } : undefined
}

/** Makes the HTTP interface of the payment service. Users call it with their access tokens of Countersign. */
export const createPaymentApp = ({ verifier, countersign, ledger }: PaymentService) => {
  const app = new Hono<{ Variables: { claims: Introspection } }>()
  app.use('/transfers/*', verifier.hono())

  app.post('/transfers', verifier.hono(), async (c) => {
    const asked = readTransfer(await c.req.json().catch(() => undefined))
    const userId = c.get('claims').id
    if (asked === undefined || userId === null) return c.json({ message: 'recipient and cents are needed' }, 400)
    // The service builds the action itself, from what it is going to do.
    const { confirmationId, expiresAt } = await countersign.initiate(actionOf({ userId, ...asked }))
    return c.json({ id: ledger.plan({ userId, ...asked, confirmationId }), confirmationId, expiresAt }, 202)
  })

  app.post('/transfers/:id/settle', async (c) => {
    const transfer = ledger.byId(c.req.param('id'))
    if (transfer === undefined || transfer.userId !== c.get('claims').id) return c.json({ message: 'Not found' }, 404)
    if (transfer.state === 'planned') {
      try {
        await settleTransfer({ countersign, ledger }, transfer)
      } catch (error) {
        if (error instanceof CountersignError && error.serviceCode !== undefined) {
          return c.json({ message: error.message, code: error.serviceCode }, 409)
        }
        throw error
      }
    }
    const { id, state, receipt } = ledger.byId(transfer.id) ?? transfer
    return c.json({ id, state, receipt })
  })

  return app
}
