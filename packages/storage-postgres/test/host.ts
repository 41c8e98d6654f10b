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

/** Approves what the phone of the user shows first. */
export const approveShown = async ({ countersign, user: { mobile, device, signer } }: Given): Promise<void> => {
  const [shown] = await countersign.confirmations.pending({ caller: mobile.caller })
  if (shown === undefined) throw new Error('nobody asked')
  const signedChallenge = signer.sign(shown.challenge)
  const approval = { caller: mobile.caller, confirmationId: shown.id, deviceId: device.id, signedChallenge }
  await countersign.confirmations.approve(approval)
}

/** Runs the work in a transaction of the host. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'commit' | 'rollback' = 'commit',
  level = 'read committed',
): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query(`begin isolation level ${level}`)
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
