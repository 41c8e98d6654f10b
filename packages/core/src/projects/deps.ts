import type { IdentityStores } from '../identity/stores.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { ProjectOptions } from './options.ts'
import type { ProjectStores } from './stores.ts'

/** Everything that use cases of projects may need. Each use case picks the members that it needs. */
export interface ProjectDeps {
  readonly storage: Transactional<IdentityStores & { readonly projects: ProjectStores }>
  readonly clock: Clock
  readonly random: Random
  readonly options: ProjectOptions
}
