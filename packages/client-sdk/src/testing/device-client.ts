import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Client } from '../client.ts'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import { createTestClient, logInNewUser, type TestClient } from './test-client.ts'
import { createTestSigner, type TestSigner } from './test-signer.ts'

/** A user in a browser, and the phone of the same user. */
export interface DeviceClient extends TestClient {
  /** A client that the phone's signature logged in. */
  readonly phone: Client
  readonly signer: TestSigner
  readonly deviceId: string
  readonly userId: number
  readonly email: string
}

export const createDeviceClient = async (): Promise<DeviceClient> => {
  const given = await createTestClient()
  const { user } = await logInNewUser(given)
  const signer = createTestSigner()
  const { deviceId } = await given.client.devices.register({ signer, deviceName: "Ada's phone", deviceType: 'mobile' })
  const phone = given.another()
  await phone.mobile.login({ signer })
  given.sent.length = 0
  return { ...given, phone, signer, deviceId, userId: user.id, email: user.email }
}

export const aPayment = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'Ada’s Workshop', note: { z: [1e21, 0.1, 'ü'], a: null } },
} as const

/** Another person, who is asked for approvals and answers on a phone. */
export interface Approver {
  readonly pending: () => Promise<readonly PendingConfirmation[]>
  /** Answers everything that waits. */
  readonly decide: (what: 'approve' | 'reject') => Promise<void>
}

/** Creates a user with the permission, and the phone of this user. */
export const createApprover = async ({ test, another }: TestClient, permission: string): Promise<Approver> => {
  const { email } = await createTestUser(test, { permissions: [permission] })
  const signer = createTestSigner()
  const web = another()
  await web.auth.login({ email, password: testPassword })
  await web.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
  const phone = another()
  await phone.mobile.login({ signer })
  const pending = async () => (await phone.confirmations.pending()).confirmations
  const decide = async (what: 'approve' | 'reject') => {
    for (const one of await pending()) {
      await (what === 'approve' ? phone.confirmations.approve(one, signer) : phone.confirmations.reject(one))
    }
  }
  return { pending, decide }
}
