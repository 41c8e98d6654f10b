import type { ProbeStatus } from '@countersign/contract'
import type { PushMessage, PushProvider } from '../identity/push/push-provider.ts'

/** A push provider that delivers nothing and remembers everything. */
export interface RecordingPush extends PushProvider {
  /** What was handed over, in order, deliveries that failed included. */
  readonly sent: readonly PushMessage[]
  /** From now on every delivery fails with this error. */
  failWith(error: Error): void
  /** What `health` answers from now on; `healthy` at first. */
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
