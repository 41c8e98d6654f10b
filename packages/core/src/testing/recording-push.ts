import type { ProbeStatus } from '@countersign/contract'
import type { PushMessage, PushProvider } from '../identity/push/push-provider.ts'

/** A push provider that delivers no messages and keeps all of them. */
export interface RecordingPush extends PushProvider {
  /** The messages in order, including failed ones. */
  readonly sent: readonly PushMessage[]
  /** Makes every further delivery fail with this error. */
  failWith(error: Error): void
  /** Sets the answer of `health`, which is `healthy` at first. */
  report(status: ProbeStatus): void
}

export const recordingPush = (): RecordingPush => {
  const sent: PushMessage[] = []
  let failure: Error | undefined
  let status: ProbeStatus = 'healthy'
  return {
    sent,
    send: async (message) => {
      sent.push(message)
      if (failure !== undefined) throw failure
    },
    health: async () => status,
    failWith: (error) => {
      failure = error
    },
    report: (next) => {
      status = next
    },
  }
}
