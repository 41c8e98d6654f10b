import type { Checked, OperationName } from '@countersign/contract'
import type { PassGate } from '../approvals/doors/operator-gate.ts'
import type { ApprovalStores } from '../approvals/stores.ts'
import type { CallerOrAdmin } from '../identity/authentication/caller.ts'
import type { IdentityStores } from '../identity/stores.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { ProjectOptions } from './options.ts'
import type { ProjectStores } from './stores.ts'

/** Everything that use cases of projects may need. Each use case picks the members that it needs. */
export interface ProjectDeps {
  readonly storage: Transactional<IdentityStores & ApprovalStores & { readonly projects: ProjectStores }>
  readonly clock: Clock
  readonly random: Random
  readonly options: ProjectOptions
  readonly passGate: PassGate
}

/** The input of an operation, with the user who calls, or an admin at the command line. */
export type ByCaller<N extends OperationName> = Checked<N> & { readonly caller: CallerOrAdmin }

export type ProjectStorage = Pick<ProjectDeps, 'storage'>

/** Imports records, with new ids and the time of the clock. */
export type ProjectImport = Pick<ProjectDeps, 'storage' | 'clock' | 'random'>

export type GatedChange = Pick<ProjectDeps, 'storage' | 'clock' | 'passGate'>
