import type { Input } from '@countersign/contract'
import { initiate } from './approvals/confirmations/initiate.ts'
import { listPending } from './approvals/confirmations/list-pending.ts'
import { type GivenPayload, readPayload } from './approvals/confirmations/read-payload.ts'
import { readStatus } from './approvals/confirmations/read-status.ts'
import { reject } from './approvals/confirmations/reject.ts'
import { sealClearNonces } from './approvals/confirmations/seal-clear-nonces.ts'
import { verify } from './approvals/confirmations/verify.ts'
import { checkedOptions } from './check-options.ts'
import { type CountersignConfig, checkConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { authenticate } from './identity/authentication/authenticate.ts'
import type { Caller } from './identity/authentication/caller.ts'
import { createIntrospector, introspect } from './identity/authentication/introspect.ts'
import { refreshDecoyProfile } from './identity/decoys/refresh-decoy-profile.ts'
import { beginLogin } from './identity/devices/begin-login.ts'
import { beginRegistration } from './identity/devices/begin-registration.ts'
import { finishLogin } from './identity/devices/finish-login.ts'
import { finishRegistration } from './identity/devices/finish-registration.ts'
import { listDevices } from './identity/devices/list-devices.ts'
import { listDevicesOfUser } from './identity/devices/list-devices-of-user.ts'
import { removeDevice } from './identity/devices/remove-device.ts'
import { revokeDevice } from './identity/devices/revoke-device.ts'
import { setPushToken } from './identity/devices/set-push-token.ts'
import { login } from './identity/login/login.ts'
import { loginSources } from './identity/login/login-source.ts'
import { loginTries } from './identity/login/login-tries.ts'
import { beginLogin as beginPasskeyLogin } from './identity/passkeys/begin-login.ts'
import { beginRegistration as beginPasskeyRegistration } from './identity/passkeys/begin-registration.ts'
import { finishLogin as finishPasskeyLogin } from './identity/passkeys/finish-login.ts'
import { finishRegistration as finishPasskeyRegistration } from './identity/passkeys/finish-registration.ts'
import { listPasskeys } from './identity/passkeys/list-passkeys.ts'
import { listPasskeysOfUser } from './identity/passkeys/list-passkeys-of-user.ts'
import { removePasskey } from './identity/passkeys/remove-passkey.ts'
import { renamePasskey } from './identity/passkeys/rename-passkey.ts'
import { revokePasskey } from './identity/passkeys/revoke-passkey.ts'
import { argon2Hasher } from './identity/passwords/argon2.ts'
import { noPush } from './identity/push/push-provider.ts'
import { hasRateLimit, type RateLimits } from './identity/rate-limits/limits.ts'
import { takeRateLimit } from './identity/rate-limits/take-rate-limit.ts'
import { issueServiceToken, issueServiceTokenShape } from './identity/service-tokens/issue-service-token.ts'
import { listServiceTokens } from './identity/service-tokens/list-service-tokens.ts'
import { revokeServiceToken } from './identity/service-tokens/revoke-service-token.ts'
import { listSessions } from './identity/sessions/list-sessions.ts'
import { logout } from './identity/sessions/logout.ts'
import { refresh, refreshDeviceLogin } from './identity/sessions/refresh.ts'
import { revokeSession } from './identity/sessions/revoke-session.ts'
import { knownTokens } from './identity/tokens/known-tokens.ts'
import { deriveTokenKeys } from './identity/tokens/token-keys.ts'
import { createUser, createUserShape } from './identity/users/create-user.ts'
import { storedUsers } from './identity/users/current-users.ts'
import { directoryUsers } from './identity/users/directory-users.ts'
import { disableUser } from './identity/users/disable-user.ts'
import { enableUser } from './identity/users/enable-user.ts'
import { findUser } from './identity/users/find-user.ts'
import { grantPermissions } from './identity/users/grant-permissions.ts'
import { listUsers } from './identity/users/list-users.ts'
import { refuseEmails } from './identity/users/refuse-emails.ts'
import { revokePermissions } from './identity/users/revoke-permissions.ts'
import { setPassword } from './identity/users/set-password.ts'
import { syncUser } from './identity/users/sync-user.ts'
import { createCustomer } from './projects/customers/create-customer.ts'
import { listCustomers } from './projects/customers/list-customers.ts'
import { importExpenses } from './projects/expenses/import-expenses.ts'
import { sumExpenses } from './projects/expenses/sum-expenses.ts'
import { checkProductSchema } from './projects/product-schemas/check-product-schema.ts'
import { createProductChecker } from './projects/product-schemas/check-products.ts'
import { listProductSchemas, listProductSchemasOfType } from './projects/product-schemas/list-product-schemas.ts'
import { registerProductSchema, registerProductSchemaShape } from './projects/product-schemas/register-product-schema.ts'
import { activateProductSchema, deactivateProductSchema } from './projects/product-schemas/set-active.ts'
import { showProductSchema } from './projects/product-schemas/show-product-schema.ts'
import { approveProject } from './projects/projects/approve-project.ts'
import { createProject } from './projects/projects/create-project.ts'
import { getProject } from './projects/projects/get-project.ts'
import { listProjects } from './projects/projects/list-projects.ts'
import { removeProject } from './projects/projects/remove-project.ts'
import { setProgress } from './projects/projects/set-progress.ts'
import { updateProject } from './projects/projects/update-project.ts'
import { countResources } from './projects/resources/count-resources.ts'
import { importResources } from './projects/resources/import-resources.ts'
import { nextTickBackground } from './shared/background.ts'
import { bindersOf } from './shared/bind-use-cases.ts'
import {
  aCaller,
  aCallerInSession,
  aCallerWhoMay,
  aCallerWithEmail,
  anActor,
  anAddress,
  aText,
  aToken,
} from './shared/caller-checks.ts'
import { systemClock } from './shared/clock.ts'
import { createHealthCheck } from './shared/health/check-health.ts'
import { anyText, checkedBy, importShape, someText, texts } from './shared/input-schemas.ts'
import { silentLogger } from './shared/logger.ts'
import { systemRandom } from './shared/random.ts'

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
