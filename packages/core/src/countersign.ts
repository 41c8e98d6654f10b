import { bindApprovals } from './approvals/bind.ts'
import { type CountersignConfig, checkConfig } from './config.ts'
import { bindIdentity } from './identity/bind.ts'
import { refreshDecoyProfile } from './identity/decoys/refresh-decoy-profile.ts'
import type { IdentityDeps } from './identity/deps.ts'
import { loginSources } from './identity/login/login-source.ts'
import { loginTries } from './identity/login/login-tries.ts'
import { argon2Hasher } from './identity/passwords/argon2.ts'
import { noPush } from './identity/push/push-provider.ts'
import { knownTokens } from './identity/tokens/known-tokens.ts'
import { deriveTokenKeys } from './identity/tokens/token-keys.ts'
import { storedUsers } from './identity/users/current-users.ts'
import { directoryUsers } from './identity/users/directory-users.ts'
import { refuseEmails } from './identity/users/refuse-emails.ts'
import { checkedOptions, type Options } from './options.ts'
import { checkedParts, type Part } from './parts.ts'
import { bindProjects } from './projects/bind.ts'
import { nextTickBackground } from './shared/background.ts'
import { systemClock } from './shared/clock.ts'
import { createHealthCheck } from './shared/health/check-health.ts'
import { silentLogger } from './shared/logger.ts'
import { systemRandom } from './shared/random.ts'
import type { FullStorage, Storage } from './storage.ts'

/** The ports of a host, with the defaults of those that it left out. */
interface AllDeps extends Omit<IdentityDeps, 'storage' | 'options'> {
  readonly storage: Storage
  readonly options: Options
}

const depsOf = (config: CountersignConfig): AllDeps => {
  const { storage, clock = systemClock, users: directory } = config
  const options = checkedOptions(config.options)
  const users = directory === undefined ? storedUsers(storage) : directoryUsers({ storage, clock, directory })
  return {
    storage,
    clock,
    users: refuseEmails(users, options.refusedEmails),
    rateLimits: config.rateLimitStore ?? storage.rateLimits,
    random: config.random ?? systemRandom,
    tokenKeys: deriveTokenKeys(config.jwtKeys),
    knownTokens: knownTokens(),
    loginSourceOf: loginSources(config.encryptionKeys),
    loginTries: loginTries(),
    encryptionKeys: config.encryptionKeys,
    passwords: config.passwords ?? argon2Hasher(),
    push: config.push ?? noPush,
    background: config.background ?? nextTickBackground,
    logger: config.logger ?? silentLogger,
    options,
  }
}

/** What every host has, whichever parts it uses. */
const bindHosting = (deps: AllDeps, config: CountersignConfig) => {
  const { storage, clock, push } = deps
  const parts = checkedParts(config.parts)
  return {
    /** The parts that this `Countersign` has. */
    parts,
    health: createHealthCheck({ database: storage, clock, push }, config.cacheHealth),
    /**
     * Deletes expired rows and refreshes the profile that decoys follow. A host calls it every few minutes. Resolves with the
     * number of deleted rows.
     */
    sweep: async () => {
      const swept = await storage.sweep(clock.now())
      await refreshDecoyProfile(deps)
      return swept
    },
  }
}

type Hosting = ReturnType<typeof bindHosting>

/** The use cases of identity, and what every host has. */
export interface CountersignIdentity extends ReturnType<typeof bindIdentity>, Hosting {}

/** The use cases of approvals. */
export interface CountersignApprovals extends ReturnType<typeof bindApprovals> {}

/** The use cases of projects. */
export interface CountersignProjects extends ReturnType<typeof bindProjects> {}

/**
 * Every use case, bound to a host's storage, keys and ports. Each use case says in its own file what it does and throws. An
 * interface, so that declarations of hosts name it instead of spelling it out.
 */
export interface Countersign extends CountersignIdentity, CountersignApprovals, CountersignProjects {}

/** The use cases of the parts `P`. */
export type CountersignOf<P extends Part> = [Part] extends [P]
  ? Countersign
  : CountersignIdentity &
      ('approvals' extends P ? CountersignApprovals : unknown) &
      ('projects' extends P ? CountersignProjects : unknown)

/**
 * Makes a `Countersign` of a host's storage, keys and ports. Does no work yet: nothing is opened, and the storage is not asked
 * for anything. The storage's schema must exist before the first call (`MigratedStorage.migrate`). The host closes the storage.
 *
 * @throws TypeError where the storage, another port or a store of the used parts is missing or is none
 * @throws InvalidKeyRing for a ring of keys
 * @throws RangeError for options that no host may have
 */
export const createCountersign = <P extends Part = Part>(config: CountersignConfig<P>): CountersignOf<P> => {
  checkConfig(config)
  const deps = depsOf(config)
  const hosting = bindHosting(deps, config)
  const { parts } = hosting
  return {
    ...bindIdentity(deps),
    ...(parts.has('approvals') ? bindApprovals(deps) : {}),
    // checkConfig has seen the project stores.
    ...(parts.has('projects') ? bindProjects({ ...deps, storage: deps.storage as FullStorage }) : {}),
    ...hosting,
  } as CountersignOf<P>
}
