import { type DeviceUser, validPayloads } from '@countersign/core/testing'
import type { TestCountersign } from '@countersign/storage-sqlite/testing'
import type pg from 'pg'

export const payment = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

interface Given extends Pick<TestCountersign, 'countersign'> {
  readonly user: Pick<DeviceUser, 'web' | 'mobile' | 'device' | 'signer'>
}

/** Returns the id of a confirmation of the payment that its user approved. */
export const approvedPayment = async ({ countersign, user }: Given, operation?: string): Promise<string> => {
  const { web, mobile, device, signer } = user
  const { id, challenge } = await countersign.confirmations.initiate({ ...payment, caller: web.caller, operation })
  const approval = { caller: mobile.caller, confirmationId: id, deviceId: device.id }
  await countersign.confirmations.approve({ ...approval, signedChallenge: signer.sign(challenge) })
  return id
}

/** Runs the work in a transaction of the host. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'commit' | 'rollback' = 'commit',
): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query(end)
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
