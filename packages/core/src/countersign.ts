import type { Input } from '@countersign/contract'
import { authenticate } from './auth/authenticate.ts'
import type { Caller } from './auth/caller.ts'
import { createIntrospector, introspect } from './auth/introspect.ts'
import { login } from './auth/login.ts'
import { loginSources } from './auth/login-source.ts'
import { loginTries } from './auth/login-tries.ts'
import { logout } from './auth/logout.ts'
import { refresh, refreshDeviceLogin } from './auth/refresh.ts'
import { bindersOf } from './bind-use-cases.ts'
import { checkedOptions } from './check-options.ts'
import { type CountersignConfig, checkConfig } from './config.ts'
import { initiate } from './confirmations/initiate.ts'
import { listPending } from './confirmations/list-pending.ts'
import { type GivenPayload, readPayload } from './confirmations/read-payload.ts'
import { readStatus } from './confirmations/read-status.ts'
import { reject } from './confirmations/reject.ts'
import { sealClearNonces } from './confirmations/seal-clear-nonces.ts'
import { verify } from './confirmations/verify.ts'
import { createCustomer } from './customers/create-customer.ts'
import { listCustomers } from './customers/list-customers.ts'
import { refreshDecoyProfile } from './decoys/refresh-decoy-profile.ts'
import type { Deps } from './deps.ts'
import { beginLogin } from './devices/begin-login.ts'
import { beginRegistration } from './devices/begin-registration.ts'
import { finishLogin } from './devices/finish-login.ts'
import { finishRegistration } from './devices/finish-registration.ts'
import { listDevices } from './devices/list-devices.ts'
import { listDevicesOfUser } from './devices/list-devices-of-user.ts'
import { removeDevice } from './devices/remove-device.ts'
import { revokeDevice } from './devices/revoke-device.ts'
import { setPushToken } from './devices/set-push-token.ts'
import { importExpenses } from './expenses/import-expenses.ts'
import { sumExpenses } from './expenses/sum-expenses.ts'
import { anyText, checkedBy, importShape, someText, texts } from './given-fields.ts'
import { createHealthCheck } from './health/check-health.ts'
import { aCaller, aCallerInSession, aCallerWhoMay, aCallerWithEmail, anActor, anAddress, aText, aToken } from './host-members.ts'
import { beginLogin as beginPasskeyLogin } from './passkeys/begin-login.ts'
import { beginRegistration as beginPasskeyRegistration } from './passkeys/begin-registration.ts'
import { finishLogin as finishPasskeyLogin } from './passkeys/finish-login.ts'
import { finishRegistration as finishPasskeyRegistration } from './passkeys/finish-registration.ts'
import { listPasskeys } from './passkeys/list-passkeys.ts'
import { listPasskeysOfUser } from './passkeys/list-passkeys-of-user.ts'
import { removePasskey } from './passkeys/remove-passkey.ts'
import { renamePasskey } from './passkeys/rename-passkey.ts'
import { revokePasskey } from './passkeys/revoke-passkey.ts'
import { argon2Hasher } from './passwords/argon2.ts'
import { nextTickBackground } from './ports/background.ts'
import { systemClock } from './ports/clock.ts'
import { silentLogger } from './ports/logger.ts'
import { systemRandom } from './ports/random.ts'
import { checkProductSchema } from './product-schemas/check-product-schema.ts'
import { createProductChecker } from './product-schemas/check-products.ts'
import { listProductSchemas, listProductSchemasOfType } from './product-schemas/list-product-schemas.ts'
import { registerProductSchema, registerProductSchemaShape } from './product-schemas/register-product-schema.ts'
import { activateProductSchema, deactivateProductSchema } from './product-schemas/set-active.ts'
import { showProductSchema } from './product-schemas/show-product-schema.ts'
import { approveProject } from './projects/approve-project.ts'
import { createProject } from './projects/create-project.ts'
import { getProject } from './projects/get-project.ts'
import { listProjects } from './projects/list-projects.ts'
import { removeProject } from './projects/remove-project.ts'
import { setProgress } from './projects/set-progress.ts'
import { updateProject } from './projects/update-project.ts'
import { noPush } from './push/push-provider.ts'
import { hasRateLimit, type RateLimits } from './rate-limits/limits.ts'
import { takeRateLimit } from './rate-limits/take-rate-limit.ts'
import { countResources } from './resources/count-resources.ts'
import { importResources } from './resources/import-resources.ts'
import { issueServiceToken, issueServiceTokenShape } from './service-tokens/issue-service-token.ts'
import { listServiceTokens } from './service-tokens/list-service-tokens.ts'
import { revokeServiceToken } from './service-tokens/revoke-service-token.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { knownTokens } from './tokens/known-tokens.ts'
import { deriveTokenKeys } from './tokens/token-keys.ts'
import { createUser, createUserShape } from './users/create-user.ts'
import { storedUsers } from './users/current-users.ts'
import { directoryUsers } from './users/directory-users.ts'
import { disableUser } from './users/disable-user.ts'
import { enableUser } from './users/enable-user.ts'
import { findUser } from './users/find-user.ts'
import { grantPermissions } from './users/grant-permissions.ts'
import { listUsers } from './users/list-users.ts'
import { refuseEmails } from './users/refuse-emails.ts'
import { revokePermissions } from './users/revoke-permissions.ts'
import { setPassword } from './users/set-password.ts'
import { syncUser } from './users/sync-user.ts'

type NewProjectInput = Parameters<typeof createProject>[1]

/** Binds every use case to the parts that a host brings. */
const bindUseCases = (config: CountersignConfig) => {
  checkConfig(config)
  const { storage, clock = systemClock, users: directory } = config
  const options = checkedOptions(config.options)
  const allUsers = directory === undefined ? storedUsers(storage) : directoryUsers({ storage, clock, directory })
  const deps: Deps = {
    storage,
    clock,
    users: refuseEmails(allUsers, options.refusedEmails),
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

  const { checked, checkedAtOnce, shaped } = bindersOf(deps)
  const creating = { ...deps, checkProducts: createProductChecker(deps) }

  const initiateChecked = checked('confirmations.initiate', initiate, { caller: aCaller, actionPayloadText: aText })

  return {
    auth: {
      login: checked('auth.login', login, { address: anAddress }),
      refresh: checked('auth.refresh', refresh, {}),
      logout: checked('auth.logout', logout, { caller: aCallerInSession }),
      authenticate: (input: { readonly token: string }) => authenticate(deps, input),
      introspect: checked('internal.verify', introspect, { token: aToken }),
      introspector: checkedAtOnce('internal.verify', createIntrospector, { token: aToken }),
    },
    users: {
      create: shaped(createUserShape, createUser),
      find: shaped({ email: someText }, findUser),
      list: () => listUsers(deps),
      disable: shaped({ email: someText }, disableUser),
      enable: shaped({ email: someText }, enableUser),
      setPassword: shaped({ email: someText, password: anyText }, setPassword),
      grant: shaped({ email: someText, permissions: texts }, grantPermissions),
      revoke: shaped({ email: someText, permissions: texts }, revokePermissions),
      sync: shaped({ directoryId: someText }, syncUser),
    },
    sessions: { list: shaped({ email: someText }, listSessions), revoke: shaped({ id: someText }, revokeSession) },
    devices: {
      list: shaped({ caller: checkedBy(aCaller) }, listDevices),
      listOfUser: shaped({ email: someText }, listDevicesOfUser),
      remove: checked('devices.remove', removeDevice, { caller: aCaller }),
      revoke: shaped({ id: someText }, revokeDevice),
      setPushToken: checked('devices.setPushToken', setPushToken, { caller: aCaller }),
      beginRegistration: checked('devices.beginRegistration', beginRegistration, { caller: aCaller }),
      finishRegistration: checked('devices.finishRegistration', finishRegistration, { caller: aCallerInSession }),
    },
    mobile: {
      beginLogin: checked('mobile.beginLogin', beginLogin, {}),
      finishLogin: checked('mobile.finishLogin', finishLogin, { address: anAddress }),
      refresh: checked('mobile.refresh', refreshDeviceLogin, {}),
    },
    passkeys: {
      beginRegistration: checked('passkeys.beginRegistration', beginPasskeyRegistration, { caller: aCallerWithEmail }),
      finishRegistration: checked('passkeys.finishRegistration', finishPasskeyRegistration, { caller: aCallerInSession }),
      beginLogin: checked('passkeys.beginLogin', beginPasskeyLogin, {}),
      finishLogin: checked('passkeys.finishLogin', finishPasskeyLogin, { address: anAddress }),
      list: shaped({ caller: checkedBy(aCaller) }, listPasskeys),
      listOfUser: shaped({ email: someText }, listPasskeysOfUser),
      rename: checked('passkeys.rename', renamePasskey, { caller: aCaller }),
      remove: checked('passkeys.remove', removePasskey, { caller: aCaller }),
      revoke: shaped({ id: someText, email: someText.optional() }, revokePasskey),
    },
    confirmations: {
      initiate: async (input: Input<'confirmations.initiate'> & GivenPayload & { readonly caller: Pick<Caller, 'userId'> }) =>
        initiateChecked(readPayload(input)),
      pending: shaped({ caller: checkedBy(aCaller) }, listPending),
      status: checked('confirmations.status', readStatus, { caller: aCaller }),
      verify: checked('confirmations.verify', verify, { caller: aCallerInSession }),
      reject: checked('confirmations.reject', reject, { caller: aCaller }),
      sealClearNonces: () => sealClearNonces(deps),
    },
    customers: { create: shaped({ name: anyText, email: anyText }, createCustomer), list: () => listCustomers(deps) },
    projects: {
      list: checked('projects.list', listProjects, { actor: anActor }),
      get: checked('projects.get', getProject, { actor: anActor }),
      create: checked('projects.create', (_, input: NewProjectInput) => createProject(creating, input), {
        caller: aCallerWhoMay,
      }),
      update: checked('projects.update', updateProject, { actor: anActor }),
      approve: checked('projects.approve', approveProject, { actor: anActor }),
      setProgress: checked('projects.setProgress', setProgress, { actor: anActor }),
      remove: checked('projects.remove', removeProject, { actor: anActor }),
    },
    productSchemas: {
      list: () => listProductSchemas(deps),
      ofType: checked('productSchemas.ofType', listProductSchemasOfType, {}),
      show: shaped({ key: someText }, showProductSchema),
      check: shaped({ type: anyText, schemaText: anyText }, checkProductSchema),
      register: shaped(registerProductSchemaShape, registerProductSchema),
      activate: shaped({ key: someText }, activateProductSchema),
      deactivate: shaped({ key: someText }, deactivateProductSchema),
    },
    resources: {
      count: checked('projects.countResources', countResources, { actor: anActor }),
      import: shaped(importShape, importResources),
    },
    expenses: {
      sum: checked('projects.sumExpenses', sumExpenses, { actor: anActor }),
      import: shaped(importShape, importExpenses),
    },
    serviceTokens: {
      issue: shaped(issueServiceTokenShape, issueServiceToken),
      list: () => listServiceTokens(deps),
      revoke: shaped({ id: someText }, revokeServiceToken),
    },
    rateLimits: {
      take: (input: Parameters<typeof takeRateLimit>[1]) => takeRateLimit(deps, input),
      /** Whether requests of the category are limited at all. It never changes, so it need not be asked at each request. */
      has: (category: keyof RateLimits) => hasRateLimit(deps.options.rateLimits, category),
    },
    health: createHealthCheck(deps, config.cacheHealth),
    /**
     * Deletes what has expired, has decoys follow the users of now, and encrypts what earlier versions stored in clear. A host
     * calls it every few minutes. Returns the number of deleted rows.
     */
    sweep: async () => {
      await sealClearNonces(deps)
      const swept = await deps.storage.sweep(deps.clock.now())
      await refreshDecoyProfile(deps)
      return swept
    },
  }
}

/**
 * Every use case, bound to a host's storage, keys and ports. Each says in its own file what it does and throws. An interface,
 * so that declarations of hosts name it instead of spelling it out.
 */
export interface Countersign extends ReturnType<typeof bindUseCases> {}

/**
 * Makes a `Countersign` on a host's storage, keys and ports. Does no work yet: nothing is opened, and nothing asked of the
 * storage, whose schema must be there before the first call (`MigratedStorage.migrate`). The host closes the storage itself.
 *
 * @throws TypeError where storage or another port is missing or is none, InvalidKeyRing for a ring of keys
 * @throws RangeError for options that no host may have
 */
export const createCountersign = (config: CountersignConfig): Countersign => bindUseCases(config)
