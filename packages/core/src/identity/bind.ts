import { hostChosenName, namedUser } from '@countersign/contract'
import { shapeCheck, useCaseBinders } from '../shared/bind-use-cases.ts'
import { checkToken, clientChecks } from '../shared/check-input.ts'
import { fromCheck, storableText, text, textList } from '../shared/input-schemas.ts'
import { authenticate, sessionOfToken } from './authentication/authenticate.ts'
import { authenticateService } from './authentication/authenticate-service.ts'
import type { ServiceCredentials } from './authentication/calling-service.ts'
import { introspect } from './authentication/introspect.ts'
import type { IdentityDeps } from './deps.ts'
import { beginLogin } from './devices/begin-login.ts'
import { beginRegistration } from './devices/begin-registration.ts'
import { finishLogin } from './devices/finish-login.ts'
import { finishRegistration } from './devices/finish-registration.ts'
import {
  listAllDevices,
  listAllDevicesShape,
  listDevices,
  listDevicesOfUser,
  removeDevice,
  revokeDevice,
  trustDevice,
} from './devices/manage-devices.ts'
import { setPushToken } from './devices/set-push-token.ts'
import { checkCaller, checkCallerInSession, checkCallerWithEmail, checkService } from './host-field-checks.ts'
import { login } from './login/login.ts'
import { beginLogin as beginPasskeyLogin } from './passkeys/begin-login.ts'
import { beginRegistration as beginPasskeyRegistration } from './passkeys/begin-registration.ts'
import { finishLogin as finishPasskeyLogin } from './passkeys/finish-login.ts'
import { finishRegistration as finishPasskeyRegistration } from './passkeys/finish-registration.ts'
import {
  listPasskeys,
  listPasskeysOfUser,
  removePasskey,
  renamePasskey,
  revokePasskey,
  trustPasskey,
} from './passkeys/manage-passkeys.ts'
import { changePassword } from './passwords/change-password.ts'
import { forgotPassword } from './passwords/forgot-password.ts'
import { checkPasswordCode } from './passwords/password-code.ts'
import { setPasswordWithCode } from './passwords/set-password-with-code.ts'
import { testPush } from './push/test-push.ts'
import { hasRateLimit, type RateLimits } from './rate-limits/limits.ts'
import { giveBackRateLimit, takeRateLimit } from './rate-limits/take-rate-limit.ts'
import { issueServiceToken, issueServiceTokenShape } from './service-tokens/issue-service-token.ts'
import { listServiceTokens, revokeServiceToken } from './service-tokens/manage-service-tokens.ts'
import { endAllSessions, listAllSessions, listAllSessionsShape, listSessions, revokeSession } from './sessions/admin-sessions.ts'
import { logout } from './sessions/logout.ts'
import { openHostSession, openHostSessionShape, openSessionForService } from './sessions/open-host-session.ts'
import { readOwnAccount } from './sessions/own-account.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts'
import { refresh, refreshDeviceLogin } from './sessions/refresh.ts'
import { disableUser, enableUser, lockOwnAccount, lockUser, unlockUser } from './user-administration/close-account.ts'
import { createUser, createUserShape } from './user-administration/create-user.ts'
import {
  delegatePermission,
  delegatePermissionShape,
  delegationShape,
  endDelegation,
  listDelegations,
} from './user-administration/delegations.ts'
import { deleteUser } from './user-administration/delete-user.ts'
import { exportUser } from './user-administration/export-user.ts'
import { grantPermissions, revokePermissions } from './user-administration/grant-permissions.ts'
import { importUsers, importUsersShape } from './user-administration/imports/import-users.ts'
import { enrolUser, inviteUser, inviteUserShape, resetPassword } from './user-administration/issue-code.ts'
import {
  countUsers,
  countUsersShape,
  findUser,
  type ListUsers,
  listUsers,
  listUsersShape,
} from './user-administration/list-users.ts'
import { setPassword } from './user-administration/set-password.ts'
import { syncUser } from './user-administration/sync-user.ts'
import { updateUser, updateUserShape } from './user-administration/update-user.ts'
import { grantedByShape } from './user-model/on-grant.ts'

/** Binds the use cases of identity to the ports of a host. */
export const bindIdentity = (deps: IdentityDeps) => {
  const { checked, shaped } = useCaseBinders(deps)
  const checkedList = shapeCheck<ListUsers>(listUsersShape)
  return {
    auth: {
      login: checked('auth.login', login, clientChecks),
      refresh: checked('auth.refresh', refresh, {}),
      logout: checked('auth.logout', logout, { caller: checkCallerInSession }),
      authenticate: (input: Parameters<typeof authenticate>[1]) => authenticate(deps, input),
      sessionOfToken: (input: { readonly token: string }) => sessionOfToken(deps, input),
      authenticateService: (credentials: ServiceCredentials) => authenticateService(deps, credentials),
      introspect: checked('internal.verify', introspect, { token: checkToken }),
    },
    users: {
      create: shaped(createUserShape, createUser),
      find: shaped({ email: storableText }, findUser),
      list: (input: ListUsers = {}) => listUsers(deps, checkedList(input)),
      count: shaped(countUsersShape, countUsers),
      import: shaped(importUsersShape, importUsers),
      update: shaped(updateUserShape, updateUser),
      delete: shaped({ email: storableText }, deleteUser),
      export: shaped({ email: storableText, tenant: hostChosenName.optional() }, exportUser),
      disable: shaped({ email: storableText }, disableUser),
      enable: shaped({ email: storableText }, enableUser),
      setPassword: shaped({ email: storableText, password: text }, setPassword),
      grant: shaped({ email: storableText, permissions: textList, ...grantedByShape }, grantPermissions),
      revoke: shaped({ email: storableText, permissions: textList }, revokePermissions),
      lock: shaped({ email: storableText }, lockUser),
      unlock: shaped({ email: storableText }, unlockUser),
      enrol: shaped({ email: storableText }, enrolUser),
      invite: shaped(inviteUserShape, inviteUser),
      resetPassword: shaped({ email: storableText }, resetPassword),
      sync: shaped({ directoryId: storableText }, syncUser),
      delegate: shaped(delegatePermissionShape, delegatePermission),
      endDelegation: shaped(delegationShape, endDelegation),
      delegations: shaped({ email: storableText }, listDelegations),
    },
    account: {
      me: shaped({ caller: fromCheck(checkCallerInSession) }, readOwnAccount),
      lock: shaped({ caller: fromCheck(checkCallerInSession) }, lockOwnAccount),
    },
    password: {
      change: checked('password.change', changePassword, { caller: checkCallerInSession, ...clientChecks }),
      forgot: checked('password.forgot', forgotPassword, {}),
      checkCode: checked('password.checkCode', checkPasswordCode, {}),
      setWithCode: checked('password.redeem', setPasswordWithCode, clientChecks),
    },
    sessions: {
      open: shaped(openHostSessionShape, openHostSession),
      openForService: checked('sessions.open', openSessionForService, { service: checkService }),
      endAll: shaped({ user: namedUser }, endAllSessions),
      list: shaped({ email: storableText }, listSessions),
      listAll: shaped(listAllSessionsShape, listAllSessions),
      revoke: shaped({ id: storableText }, revokeSession),
      listOwn: checked('sessions.list', listOwnSessions, { caller: checkCallerInSession }),
      endOwn: checked('sessions.end', endOwnSession, { caller: checkCallerInSession }),
      endOthers: shaped({ caller: fromCheck(checkCallerInSession) }, endOtherSessions),
    },
    devices: {
      list: shaped({ caller: fromCheck(checkCaller) }, listDevices),
      listOfUser: shaped({ email: storableText }, listDevicesOfUser),
      listAll: shaped(listAllDevicesShape, listAllDevices),
      remove: checked('devices.remove', removeDevice, { caller: checkCallerInSession }),
      revoke: shaped({ id: storableText }, revokeDevice),
      trust: shaped({ id: storableText }, trustDevice),
      testPush: shaped({ email: storableText }, testPush),
      setPushToken: checked('devices.setPushToken', setPushToken, { caller: checkCallerInSession }),
      beginRegistration: checked('devices.beginRegistration', beginRegistration, { caller: checkCallerInSession }),
      finishRegistration: checked('devices.finishRegistration', finishRegistration, {
        caller: checkCallerInSession,
        ...clientChecks,
      }),
    },
    mobile: {
      beginLogin: checked('mobile.beginLogin', beginLogin, {}),
      finishLogin: checked('mobile.finishLogin', finishLogin, clientChecks),
      refresh: checked('mobile.refresh', refreshDeviceLogin, {}),
    },
    passkeys: {
      beginRegistration: checked('passkeys.beginRegistration', beginPasskeyRegistration, { caller: checkCallerWithEmail }),
      finishRegistration: checked('passkeys.finishRegistration', finishPasskeyRegistration, {
        caller: checkCallerInSession,
        ...clientChecks,
      }),
      beginLogin: checked('passkeys.beginLogin', beginPasskeyLogin, {}),
      finishLogin: checked('passkeys.finishLogin', finishPasskeyLogin, clientChecks),
      list: shaped({ caller: fromCheck(checkCaller) }, listPasskeys),
      listOfUser: shaped({ email: storableText }, listPasskeysOfUser),
      rename: checked('passkeys.rename', renamePasskey, { caller: checkCallerInSession }),
      remove: checked('passkeys.remove', removePasskey, { caller: checkCallerInSession }),
      revoke: shaped({ id: storableText, email: storableText.optional() }, revokePasskey),
      trust: shaped({ id: storableText, email: storableText.optional() }, trustPasskey),
    },
    serviceTokens: {
      issue: shaped(issueServiceTokenShape, issueServiceToken),
      list: () => listServiceTokens(deps),
      revoke: shaped({ id: storableText }, revokeServiceToken),
    },
    rateLimits: {
      take: (input: Parameters<typeof takeRateLimit>[1]) => takeRateLimit(deps, input),
      giveBack: (input: Parameters<typeof giveBackRateLimit>[1]) => giveBackRateLimit(deps, input),
      has: (category: keyof RateLimits) => hasRateLimit(deps.options.rateLimits, category),
    },
  }
}
