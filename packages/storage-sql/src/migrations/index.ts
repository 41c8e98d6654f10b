import type { Migration } from 'kysely/migration'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import { authentication } from './0001-authentication.ts'
import { projectSeeds, projects } from './0002-projects.ts'
import { passkeys } from './0003-passkeys.ts'
import { changesTold } from './0004-changes-told.ts'
import { userDirectory } from './0005-user-directory.ts'
import { slimSearch } from './0006-slim-search.ts'
import { gatheredSearch } from './0007-gathered-search.ts'
import { knownClients } from './0009-known-clients.ts'
import { usedChallengesSealedNonces } from './0010-used-challenges-sealed-nonces.ts'
import { passkeysOfUsers } from './0012-passkeys-of-users.ts'
import type { Seeds } from './seeds.ts'

/** Every migration by its name; they are applied in the order of their names, each once, and never change afterwards. */
export const migrations = (features: DialectFeatures): Readonly<Record<string, Migration>> => ({
  '0001-authentication': { up: authentication(features) },
  '0002-projects': { up: projects(features) },
  '0003-passkeys': { up: passkeys },
  '0004-changes-told': { up: changesTold(features) },
  '0005-user-directory': { up: userDirectory },
  '0006-slim-search': { up: slimSearch(features) },
  '0007-gathered-search': { up: gatheredSearch(features) },
  '0009-known-clients': { up: knownClients },
  '0010-used-challenges-sealed-nonces': { up: usedChallengesSealedNonces },
  '0012-passkeys-of-users': { up: passkeysOfUsers },
})

/** What all migrations together put into the tables. */
export const seeds: Seeds = { ...projectSeeds }
