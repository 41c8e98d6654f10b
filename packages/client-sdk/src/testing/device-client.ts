import type { Client } from '../client.ts'
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
