import { approvalEndings } from './approvals/account-endings.ts'
import { bindApprovals } from './approvals/bind.ts'
import { eraseApprovals, exportConfirmations, exportRequests } from './approvals/data-of-user.ts'
import type { ApprovalDeps } from './approvals/deps.ts'
import { gateGrants } from './approvals/doors/gate-grants.ts'
import { gatekeeper, type PassGate } from './approvals/doors/operator-gate.ts'
import { type LiveStreams, liveStreams } from './approvals/events/live-streams.ts'
import { harmlessObserver, type Observer } from './approvals/observer.ts'
import { receiptKeys } from './approvals/receipt-keys/published-keys.ts'
import { receiptIssuer } from './approvals/receipts/issue-receipt.ts'
import { confirmationVouching } from './approvals/vouching/start-vouching.ts'
import { type CountersignConfig, requireConfig } from './config.ts'
import { bindIdentity } from './identity/bind.ts'
import { hashLike } from './identity/decoys/hash-like.ts'
import type { IdentityDeps } from './identity/deps.ts'
import { digestKeys } from './identity/digest-key.ts'
import { argon2Hasher } from './identity/hashing/argon2-hasher.ts'
import { attemptsInProgress } from './identity/login-throttle/attempts-in-progress.ts'
import { loginSources } from './identity/login-throttle/login-failures.ts'
import { noPush } from './identity/push/push-provider.ts'
import { deriveTokenKeys } from './identity/tokens/token-keys.ts'
import { knownTokens } from './identity/tokens/verify-token.ts'
import { noVouching } from './identity/trust/vouching-port.ts'
import { directoryUsers } from './identity/user-administration/directory-users.ts'
import { refuseEmails, storedUsers } from './identity/user-model/current-users.ts'
import { checkInstallation } from './operations/check-installation.ts'
import { explainApprover, explainApproverShape } from './operations/explain-approver.ts'
import { recoverAfterRestore, recoverAfterRestoreShape } from './operations/recover-after-restore.ts'
import { checkedOptions, type Options } from './options.ts'
import { checkedParts, type Part } from './parts.ts'
import { bindProjects } from './projects/bind.ts'
import { type OnSwept, SWEEP_MARGIN, type SweptRows, sweepLimits } from './retention.ts'
import { nextTickBackground } from './shared/background.ts'
import { useCaseBinders } from './shared/bind-use-cases.ts'
import { systemClock } from './shared/clock.ts'
import { createHealthCheck } from './shared/health/check-health.ts'
import { createReadinessCheck } from './shared/health/check-readiness.ts'
import { silentLogger } from './shared/logger.ts'
import { systemRandom } from './shared/random.ts'
import type { FullStorage, Storage, Stores } from './storage.ts'

/** The ports of a host, completed with defaults. */
interface AllDeps extends Omit<IdentityDeps, 'storage' | 'options' | 'vouching'> {
  readonly storage: Storage
  readonly options: Options
  readonly passGate: PassGate
  readonly observer: Observer
  readonly issuer: ApprovalDeps['issuer']
}

const depsOf = (config: CountersignConfig): AllDeps => {
  const { storage, encryptionKeys, clock = systemClock, users: directory, logger = silentLogger, random = systemRandom } = config
  const options = checkedOptions(config.options)
  const observer = harmlessObserver(config.observer, logger)
  const digestKey = digestKeys({ storage, encryptionKeys, random, logger })
  const { push = noPush, background = nextTickBackground } = config
  const endings = approvalEndings({ storage, clock, push, encryptionKeys, logger, background })
  const users =
    directory === undefined
      ? storedUsers(storage, hashLike(storage, digestKey))
      : directoryUsers({ storage, clock, directory, endings, logger })
  const current = refuseEmails(users, options.refusedEmails)
  const passGate = gatekeeper({ storage, users: current, clock, options, encryptionKeys, random, observer, logger })
  return {
    storage,
    clock,
    users: current,
    rateLimits: config.rateLimitStore ?? storage.rateLimits,
    random,
    tokenKeys: deriveTokenKeys(config.jwtKeys),
    knownTokens: knownTokens(),
    digestKey,
    loginSourceOf: loginSources(digestKey),
    attemptsInProgress: attemptsInProgress(),
    encryptionKeys,
    passwords: config.passwords ?? argon2Hasher({ logger }),
    push,
    onNotice: config.onNotice,
    deliverCode: config.deliverCode,
    endings,
    dataOfOtherParts: {
      erase: (tx, userId, now) => eraseApprovals(tx as Stores, userId, now),
      export: async (userId, tenant) => {
        const opening = { storage, clock, encryptionKeys }
        return {
          confirmations: await exportConfirmations(opening, userId, tenant),
          approvalRequests: await exportRequests(opening, userId, tenant),
          ...(storage.projects && tenant === undefined && { projects: await storage.projects.projects.ofPerson(userId) }),
        }
      },
    },
    onGrant: gateGrants(passGate),
    background,
    logger,
    options,
    passGate,
    observer,
    issuer: () => config.receipts?.issuer ?? null,
  }
}

/** The issuer of receipts and its keys, if the host configured them. */
const receiptDeps = (deps: AllDeps, { receipts }: CountersignConfig): Pick<ApprovalDeps, 'issueReceipt' | 'receiptKeys'> => {
  if (receipts === undefined) return { issueReceipt: undefined, receiptKeys: undefined }
  const keys = receiptKeys({ store: deps.storage.receiptKeys, clock: deps.clock, logger: deps.logger }, receipts.keys)
  return { issueReceipt: receiptIssuer(deps, { keys, config: receipts }), receiptKeys: keys }
}

/** Binds the functions that every host has, whatever its parts. */
const bindHosting = (deps: AllDeps, config: CountersignConfig) => {
  const { storage, clock, push, options } = deps
  const parts = checkedParts(config.parts)
  const { shaped } = useCaseBinders(deps)
  return {
    /** The parts of this instance. */
    parts,
    /** Says whether the database, the cache and the push provider answer. @example const { status } = await countersign.health() */
    health: createHealthCheck({ database: storage, clock, push }, config.cacheHealth),
    /** Says whether the database can be written to. @example const { status } = await countersign.readiness() */
    readiness: createReadinessCheck({ database: storage, clock }),
    check: () => checkInstallation(deps),
    /**
     * Deletes rows that expired longer ago than `SWEEP_MARGIN`, and the finished records whose retention has passed.
     * A host calls this function every few minutes. Returns the number of deleted rows of each kind. `onSwept` gets the rows of
     * each step. @example setInterval(() => countersign.sweep(), 5 * 60_000)
     */
    sweep: async (onSwept?: OnSwept): Promise<SweptRows> => {
      const now = clock.now() - SWEEP_MARGIN
      return storage.sweep(now, sweepLimits(options, now), onSwept)
    },
    /** Counts the rows that `sweep` would delete now, by kind. @example const rows = await countersign.sweepable() */
    sweepable: async (): Promise<SweptRows> => {
      const now = clock.now() - SWEEP_MARGIN
      return storage.sweepable(now, sweepLimits(options, now))
    },
    explainApprover: shaped(explainApproverShape, explainApprover),
    recoverAfterRestore: shaped(recoverAfterRestoreShape, recoverAfterRestore),
  }
}

type Hosting = ReturnType<typeof bindHosting>

/** The use cases of identity, and the functions that every host has. */
export interface CountersignIdentity extends ReturnType<typeof bindIdentity>, Hosting {}

/** The use cases of approvals. */
export interface CountersignApprovals extends ReturnType<typeof bindApprovals> {
  /** Live streams of what happens to a user. */
  readonly events: LiveStreams
}

/** The use cases of projects. */
export interface CountersignProjects extends ReturnType<typeof bindProjects> {}

/**
 * Every use case, bound to the storage, keys and ports of a host. The file of a use case documents its behaviour and errors. An
 * interface, so that the declarations of a host name this type instead of expanding it.
 */
export interface Countersign extends CountersignIdentity, CountersignApprovals, CountersignProjects {}

/** The use cases of the parts `P`. */
export type CountersignOf<P extends Part> = [Part] extends [P]
  ? Countersign
  : CountersignIdentity &
      ('approvals' extends P ? CountersignApprovals : unknown) &
      ('projects' extends P ? CountersignProjects : unknown)

/**
 * Creates a `Countersign` from the configuration of a host. The call opens no connection and does not query the storage. The schema
 * of the storage must exist before the first use case runs (`MigratedStorage.migrate`). The host closes the storage.
 * @throws TypeError if the storage, another port or a store of the given parts is missing or invalid
 * @throws InvalidKeyRing for an invalid key ring
 * @throws RangeError for an invalid option
 */
export const createCountersign = <P extends Part = Part>(config: CountersignConfig<P>): CountersignOf<P> => {
  requireConfig(config)
  const deps = depsOf(config)
  const hosting = bindHosting(deps, config)
  const { parts } = hosting
  if (config.production === true) deps.background.run(async () => void (await hosting.check()))
  const identity = bindIdentity({ ...deps, vouching: parts.has('approvals') ? confirmationVouching(deps) : noVouching })
  const approvals = () => ({
    ...bindApprovals({ ...deps, ...receiptDeps(deps, config) }),
    events: liveStreams({ ...deps, authenticate: identity.auth.authenticate }),
  })
  return {
    ...identity,
    ...(parts.has('approvals') ? approvals() : {}),
    // `requireConfig` has checked that the project stores exist.
    ...(parts.has('projects') ? bindProjects({ ...deps, storage: deps.storage as FullStorage }) : {}),
    ...hosting,
  } as CountersignOf<P>
}
