import type {
  HealthReport,
  LaneLoad,
  Logger,
  Observer,
  PushProvider,
  ReadinessReport,
  ServiceToken,
  StorageObserver,
  StorageStatistics,
} from '@countersign/core'
import type { AnsweredRequest } from '../http/app-context.ts'

/** The numbers of approvals that expired lately. */
export interface ExpiredApprovals {
  readonly confirmation: number
  readonly request: number
}

/** The parts of an open server whose state is read at each measurement. */
export interface MonitoredState {
  readonly storage: () => StorageStatistics
  readonly passwords: () => readonly LaneLoad[] | undefined
  readonly health: () => Promise<Pick<HealthReport, 'services' | 'clockOffsetMs'>>
  readonly readiness: () => Promise<Pick<ReadinessReport, 'status'>>
  readonly serviceTokens: () => Promise<readonly ServiceToken[]>
  /** `undefined` for a server without the part of approvals. */
  readonly expiredApprovals: () => Promise<ExpiredApprovals | undefined>
}

/** Watches a server. `createMetrics` of `@countersign/server/metrics` makes one. No method throws. */
export interface Monitor extends Observer, StorageObserver {
  /** Is called with each request, when its response is known. */
  readonly request: (request: AnsweredRequest) => void
  /** Returns a provider that also counts the deliveries of the given one, under a name. */
  readonly countingPush: (push: PushProvider, name: string) => PushProvider
  /** Returns a logger that also counts the warnings and errors of the given one. */
  readonly countingLogger: (logger: Logger) => Logger
  /** Takes the state to read. The last call counts. */
  readonly watch: (state: MonitoredState) => void
}
