import type { Background } from '../shared/background.ts'
import type { Clock } from '../shared/clock.ts'
import type { KeyRing } from '../shared/crypto/key-ring.ts'
import type { Logger } from '../shared/logger.ts'
import type { Random } from '../shared/random.ts'
import type { Transactional } from '../shared/transactional.ts'
import type { DigestKey } from './digest-key.ts'
import type { IdentityOptions } from './options.ts'
import type { IdentityStores } from './stores.ts'

/** The dependencies of the lower folders of identity, which use stores, options, time and keys, and import no other folder. */
export interface BaseDeps {
  readonly storage: Transactional<IdentityStores>
  readonly clock: Clock
  readonly random: Random
  readonly digestKey: DigestKey
  readonly encryptionKeys: KeyRing
  readonly background: Background
  readonly logger: Logger
  readonly options: IdentityOptions
}

/** Reads and changes the stores of identity. */
export type IdentityStorage = Pick<BaseDeps, 'storage'>

/** Reads and changes the stores of identity at the time of the clock. */
export type TimedStorage = Pick<BaseDeps, 'storage' | 'clock'>

/** Changes the stores of identity, and writes a line about the change to the log. */
export type LoggedChange = Pick<BaseDeps, 'storage' | 'clock' | 'logger'>
