import { initiatePayment, signInWithDevice } from './sign-in.ts'
import type { TestApp } from './test-app.ts'

/** A user with a device, and a pending payment. */
export const withPendingPayment = async (test: TestApp) => {
  const user = await signInWithDevice(test)
  const initiated = await initiatePayment(test, user.token)
  const verify = (signature = user.signer.sign(initiated.challenge), token = user.deviceToken, deviceId = user.device.id) =>
    test.call(
      'confirmations.verify',
      { confirmationId: initiated.confirmationId, deviceId, signedChallenge: signature },
      { token },
    )
  const reject = (token = user.token) =>
    test.call('confirmations.reject', { confirmationId: initiated.confirmationId }, { token })
  const withdraw = (token = user.token) =>
    test.call('confirmations.withdraw', { confirmationId: initiated.confirmationId }, { token })
  const status = (token = user.token) =>
    test.call('confirmations.status', { confirmationId: initiated.confirmationId }, { token })
  return { ...user, ...initiated, verify, reject, withdraw, status }
}
