import type { Countersign } from '@countersign/core'
import { confirmedAction } from '../flows/confirmation-steps.ts'
import { challengeSigner, holdDevices } from './held-device.ts'

/** An approval, and the user who gave it. */
export interface ApprovedPayment {
  readonly confirmationId: string
  readonly caller: { readonly userId: number }
}

/** Has a payment approved by the device of a new user. The core must accept every password. */
export const approvedPayment = async (countersign: Countersign): Promise<ApprovedPayment> => {
  const [device] = await holdDevices(countersign, 1)
  if (device === undefined) throw new Error('no device was made')
  const caller = await countersign.auth.authenticate({ token: device.accessToken })
  const { id: confirmationId, challenge } = await countersign.confirmations.initiate({ caller, ...confirmedAction })
  const signedChallenge = challengeSigner(device)(challenge)
  await countersign.confirmations.verify({ caller, confirmationId, deviceId: device.deviceId, signedChallenge })
  return { confirmationId, caller: { userId: caller.userId } }
}
