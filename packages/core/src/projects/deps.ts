import type { PassGate } from '../approvals/doors/operator-gate.ts'
import type { ApprovalStores } from '../approvals/stores.ts'
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
  /** Guards the operations that the host gates. */
  readonly passGate: PassGate
}
