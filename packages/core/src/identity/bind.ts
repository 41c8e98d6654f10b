import { useCaseBinders } from '../shared/bind-use-cases.ts'
import { aCaller, aCallerInSession, aCallerWithEmail, anAddress, aToken } from '../shared/caller-checks.ts'
import { anyText, checkedBy, someText, texts } from '../shared/input-schemas.ts'
import { authenticate } from './authentication/authenticate.ts'
import { introspect } from './authentication/introspect.ts'
import type { IdentityDeps } from './deps.ts'
import { beginLogin } from './devices/begin-login.ts'
import { beginRegistration } from './devices/begin-registration.ts'
import { finishLogin } from './devices/finish-login.ts'
import { finishRegistration } from './devices/finish-registration.ts'
import { listDevices } from './devices/list-devices.ts'
import { listDevicesOfUser } from './devices/list-devices-of-user.ts'
import { removeDevice } from './devices/remove-device.ts'
import { revokeDevice } from './devices/revoke-device.ts'
import { setPushToken } from './devices/set-push-token.ts'
import { login } from './login/login.ts'
import { beginLogin as beginPasskeyLogin } from './passkeys/begin-login.ts'
import { beginRegistration as beginPasskeyRegistration } from './passkeys/begin-registration.ts'
import { finishLogin as finishPasskeyLogin } from './passkeys/finish-login.ts'
import { finishRegistration as finishPasskeyRegistration } from './passkeys/finish-registration.ts'
import { listPasskeys } from './passkeys/list-passkeys.ts'
import { listPasskeysOfUser } from './passkeys/list-passkeys-of-user.ts'
import { removePasskey } from './passkeys/remove-passkey.ts'
import { renamePasskey } from './passkeys/rename-passkey.ts'
import { revokePasskey } from './passkeys/revoke-passkey.ts'
import { hasRateLimit, type RateLimits } from './rate-limits/limits.ts'
import { takeRateLimit } from './rate-limits/take-rate-limit.ts'
import { issueServiceToken, issueServiceTokenShape } from './service-tokens/issue-service-token.ts'
import { listServiceTokens } from './service-tokens/list-service-tokens.ts'
import { revokeServiceToken } from './service-tokens/revoke-service-token.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { logout } from './sessions/logout.ts'
import { refresh, refreshDeviceLogin } from './sessions/refresh.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { createUser, createUserShape } from './users/create-user.ts'
import { disableUser } from './users/disable-user.ts'
import { enableUser } from './users/enable-user.ts'
import { findUser } from './users/find-user.ts'
import { grantPermissions } from './users/grant-permissions.ts'
import { listUsers } from './users/list-users.ts'
import { revokePermissions } from './users/revoke-permissions.ts'
import { setPassword } from './users/set-password.ts'
import { syncUser } from './users/sync-user.ts'

/** Binds the use cases of identity to the ports of a host. */
export const bindIdentity = (deps: IdentityDeps) => {
  const { checked, shaped } = useCaseBinders(deps)
  return {
    auth: {
      login: checked('auth.login', login, { address: anAddress }),
      refresh: checked('auth.refresh', refresh, {}),
      logout: checked('auth.logout', logout, { caller: aCallerInSession }),
      authenticate: (input: { readonly token: string }) => authenticate(deps, input),
      introspect: checked('internal.verify', introspect, { token: aToken }),
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
    serviceTokens: {
      issue: shaped(issueServiceTokenShape, issueServiceToken),
      list: () => listServiceTokens(deps),
      revoke: shaped({ id: someText }, revokeServiceToken),
    },
    rateLimits: {
      take: (input: Parameters<typeof takeRateLimit>[1]) => takeRateLimit(deps, input),
      /** Returns whether a limit exists for the category. The answer never changes, so a server can ask once. */
      has: (category: keyof RateLimits) => hasRateLimit(deps.options.rateLimits, category),
    },
  }
}
