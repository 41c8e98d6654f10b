import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { delivering } from './deliver.ts'

it('an attempt can take five seconds unless the options say otherwise', async () => {
  const times: number[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    times.push(milliseconds)
    return AbortSignal.abort(new DOMException('time is up', 'TimeoutError'))
  })
  onTestFinished(() => timeout.mockRestore())
  const clock = fakeClock(0)
  const send = (options: { readonly attemptTime?: number }) =>
    delivering(() => async (signal) => signal.throwIfAborted(), { logger: recordingLogger(), clock, ...options }).send({
      type: 'confirmation.settled',
      confirmationId: 'conf_1',
      pushToken: 'push-token-1',
      deviceId: 'device-1',
      // Too soon for a second attempt.
      expiresAt: 1,
    })
  await expect(send({})).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect(send({ attemptTime: 70 })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(times).toEqual([5000, 70])
})
