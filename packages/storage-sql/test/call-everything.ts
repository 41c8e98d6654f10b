import type { MigratedStorage, Stores } from '@countersign/core/storage'
import {
  aChallenge,
  aConfirmation,
  aDevice,
  aNewUser,
  anActionType,
  anApprovalRequest,
  anEvidence,
  aOneTimeCode,
  aPasskey,
  aPushToken,
  aRegistrationEvidence,
  aSealedField,
  aServiceToken,
  aSession,
  noWaits,
  clockStart as now,
} from '@countersign/core/testing'
import { expect, vi } from 'vitest'
import { callProjects } from './call-projects.ts'

const storeNames = (
  'users sessions loginFailures devices pushWindows passkeys trust secrets servers challenges oneTimeCodes approvals ' +
  'confirmations vouchings receiptKeys approvalRequests actionPolicies delegations actionTypes serviceTokens rateLimits'
).split(' ') as readonly Exclude<keyof Stores, 'projects'>[]

/** Calls every method of every store on every path with its own statements. Fails if a method was not called. */
export const callEverything = async (storage: MigratedStorage): Promise<void> => {
  const stores = { ...Object.fromEntries(storeNames.map((name) => [name, storage[name]])), ...storage.projects }
  const watched = Object.entries(stores).flatMap(([name, aggregate]) => {
    const store = aggregate as unknown as Record<string, () => unknown>
    return Object.keys(store).map((method) => ({ called: `${name}.${method}`, spy: vi.spyOn(store, method) }))
  })

  const {
    users,
    sessions,
    loginFailures,
    devices,
    pushWindows,
    passkeys,
    trust,
    secrets,
    servers,
    challenges,
    oneTimeCodes,
    approvals,
    confirmations,
    vouchings,
    receiptKeys,
    approvalRequests,
    actionPolicies,
    delegations,
    actionTypes,
    serviceTokens,
    rateLimits,
  } = storage
  const [user] = await users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  const of = { userId: user.id }
  await users.byId(user.id)
  await users.byEmail(user.email)
  await users.create([aNewUser(), aNewUser()])
  await users.list({ emails: [user.email, 'unknown@example.test'], limit: 500 })
  await users.hashFrom(user.id)
  await users.list({ afterId: 0, limit: 10 })
  const query = { search: 'a', permission: 'a.b', disabled: false, locked: false, departmentId: 'd', since: 0, before: 1 }
  await users.list({ ...query, noTrustedDeviceAt: 1, afterId: 0, limit: 10 })
  await users.count({ ...query, noTrustedDeviceAt: 1 })
  await users.count({ needsPasskeyAt: 1 })
  await users.list({ internationalEmail: true, afterId: 0, limit: 10 })
  await users.list({ ids: [user.id], limit: 1001 })
  const question = { requestedBy: user.id, now, limit: 100 }
  await users.approvers({ ...question, permissions: ['payment.approve', 'payment.*', '*.*'], refusedEmails: ['a@b.example'] })
  await users.approvers({ ...question, permissions: ['payment.approve'], passkeys: true })
  await users.approvers({ ...question, directoryIds: ['host-1'] })
  await users.upgradePasswordHash(user.id, 'weak', 'strong')
  await users.admit(user.id, user.version)

  await users.byDirectoryId('host-1')
  const session = aSession(of)
  await sessions.open(session)
  await sessions.byId(session.id)
  await sessions.status(session.id)
  await sessions.ofUser(user.id, now)
  const pages = [
    { limit: 10 },
    { userId: user.id, limit: 10 },
    { since: now, before: now + 1, after: { createdAt: now, id: 'x' }, limit: 10 },
  ]
  for (const page of pages) {
    for (const other of [false, true]) {
      await sessions.page({ ...page, ended: other, now })
      await devices.page({ ...page, removed: other, deviceType: other ? 'mobile' : undefined })
    }
    for (const status of [undefined, 'pending', 'approved', 'rejected', 'expired'] as const) {
      const listed = { ...page, status, actionType: 'user_access', now }
      await confirmations.page(listed)
      await confirmations.page({ ...listed, reachedBy: ['acme'], requestedBy: session.id })
      await approvalRequests.page({ ...listed, requestedBy: user.id, requestedIn: session.id, tenants: ['acme'] })
      await approvalRequests.page({ ...listed, requestedBy: user.id, tenants: null })
    }
  }
  await sessions.hold(session.id, user.id)
  const disowned = aSession(of)
  await sessions.open(disowned)
  await sessions.disown(disowned.id, now)
  await sessions.open(aSession(of))
  await sessions.open(aSession(of), 200)
  await sessions.endAll({ userId: user.id, except: session.id }, 'revoked', now)
  await sessions.endAll({ userId: user.id, except: session.id, tenants: ['acme'] }, 'revoked', now)
  await sessions.boundOpenedBy('billing')
  await sessions.endAll({ userId: user.id, openedBy: 'billing', tenants: ['acme'] }, 'revoked', now)
  const fromTokenId = session.refreshTokenId
  await sessions.rotatedBefore({ sessionId: session.id, fromTokenId, admitted: [{ keyHash: 'key', within: 1 }], now })
  await sessions.rotate({ sessionId: session.id, fromTokenId, toTokenId: 'next', keyHash: null, expiresAt: now + 1, now })
  const sessionId = session.id

  const device = aDevice(of)
  await devices.register(device, sessionId, 20, aRegistrationEvidence({ ...of, deviceId: device.id }))
  await devices.evidenceOf(user.id, device.id)
  await devices.ofUser(user.id, device.id)
  await devices.byId(device.id)
  await devices.allOfUser(user.id)
  for (const withPasskeys of [false, true])
    await trust.trustedKeysOf({ userIds: [user.id], now: 1, tenant: null, passkeys: withPasskeys, approverDevices: withPasskeys })
  await devices.withFingerprint(device.deviceFingerprint)
  await devices.use(user.id, device.id, now)
  await devices.lock(user.id, device.id)
  const pushToken = aPushToken()
  await devices.setPushToken(user.id, device.id, pushToken, now)
  await devices.takePushToken(pushToken.digest, 'another', now)
  await devices.forgetPushToken(device.id, pushToken.sealed, now)
  await devices.remove(user.id, device.id, now)
  await sessions.open(aSession({ ...of, deviceId: device.id }))
  await sessions.endAll({ userId: user.id, deviceId: device.id }, 'device_removed', now)

  const announced = { confirmationId: 'conf_1', actionType: 'payment_approval', expiresAt: now }
  await pushWindows.enter(user.id, announced, now, now + 1)
  await pushWindows.wasTold(user.id, now)
  await pushWindows.end(user.id, now + 1, now, now + 2)
  for (let asked = 0; asked < 2; asked += 1) await secrets.keepFirst('digests', aSealedField())
  await servers.announce({ id: 'server_1', seenAt: now, settings: '{}' }, now)
  await servers.since(now)
  await servers.forget('server_1')

  const passkey = aPasskey(of)
  await passkeys.userHandle(user.id, passkey.userHandle)
  await passkeys.userHandle(user.id, 'another')
  await passkeys.register(passkey, sessionId, 20)
  await passkeys.withId(passkey.id)
  await passkeys.allOfUser(user.id)
  await passkeys.lock(user.id, passkey.id)
  for (const signCount of [0, 1]) await passkeys.use({ ...of, id: passkey.id, signCount, backedUp: true, now })
  await passkeys.rename(user.id, passkey.id, 'Another name')
  for (const given of [{ id: 'token_1', ...aPushToken() }, { id: 'token_2', ...pushToken }, null]) {
    await passkeys.setPushToken(user.id, passkey.id, given)
    await passkeys.pushTokensOf(user.id)
    await passkeys.takePushToken(pushToken.digest)
    await passkeys.forgetPushToken('token_1')
  }
  await passkeys.remove(user.id, passkey.id, now)
  await passkeys.removedOfUser(user.id)
  await sessions.open(aSession({ ...of, passkeyId: passkey.id }))
  await sessions.endAll({ userId: user.id, passkeyId: passkey.id }, 'passkey_removed', now)

  await trust.enrolmentFacts({ ...of, sessionId, rememberedSince: now, now })
  await trust.enrolmentFacts({ ...of, sessionId, rememberedSince: now + 1, now: now - 1 })
  await devices.register(aDevice({ ...of, trustedAt: null }), sessionId, 20)
  const probationers = [aDevice({ ...of, trustedAt: now + 1 }), aPasskey({ ...of, trustedAt: now + 1 })] as const
  await devices.register(probationers[0], sessionId, 20)
  await passkeys.register(probationers[1], sessionId, 20)
  await trust.lock(user.id)
  await trust.makeTrusted({ userId: user.id, kind: 'device', id: probationers[0].id }, now)
  await trust.makeTrusted({ userId: user.id, kind: 'passkey', id: probationers[1].id }, now)
  await trust.removeOnProbation(user.id, now)
  await trust.removeOnProbation(user.id, now, 'of_ended_sessions')
  await trust.mailboxMarkOf(user.id)
  await trust.markMailbox({ userId: user.id, rememberedSince: now, now })
  await trust.endMailboxMark(user.id)

  const challenge = aChallenge('device_login')
  await challenges.issue(challenge)
  await challenges.consume(challenge.id, 'device_login', null, now)
  await challenges.consume(challenge.id, 'device_registration', user.id, now)
  await challenges.wasIssued(challenge.id, 'device_registration', user.id)

  const code = aOneTimeCode(of)
  await oneTimeCodes.issue(code)
  await oneTimeCodes.byHash(code.hash)
  await oneTimeCodes.spend({ userId: user.id, kind: code.kind, hash: code.hash, now })
  await oneTimeCodes.issueForgot({ ...code, kind: 'forgot' }, 3)
  await oneTimeCodes.voidAllOfUser(user.id, 'forgot')
  await oneTimeCodes.voidAllOfUser(user.id)
  const lent = { from: user.id, to: user.id, permission: 'payment.approve', until: now + 1, createdAt: now }
  await delegations.put(lent)
  await delegations.running({ userId: user.id }, now)
  await delegations.running({ permissions: [lent.permission], limit: 1 }, now)
  await delegations.hold(lent, now)
  await delegations.end(lent)

  const { id } = aConfirmation()
  await confirmations.initiate(aConfirmation({ ...of, id }), 20)
  await confirmations.pendingOfUser(user.id, now)
  await confirmations.expiring(user.id, now)
  for (const counter of ['wrongSignatures', 'wrongMatchNumbers'] as const)
    await confirmations.countWrong({ ...of, id, counter, limit: 5, now })
  const byPasskey = { passkey: { id: 'unknown', signCount: 1, backedUp: true } } as const
  await confirmations.approve({ id, userId: user.id, ...byPasskey, sessionId, evidence: anEvidence(), now })
  await confirmations.approve({ id, userId: user.id, deviceId: device.id, sessionId, evidence: anEvidence(), now })
  const consumer = { consumedBy: 'service:billing', consumedKey: 'key', receipt: null }
  await approvals.use({ ...of, ...consumer, confirmationId: id, approvedSince: now, now })
  await approvals.endAllOfUser(user.id, now, 'account')
  await approvals.endAllOfUser(user.id, now, 'sessions')
  await approvals.settle({ ...of, id, outcome: 'approved', deviceId: device.id, rejectReason: null, now })
  await approvals.withdraw({ ...of, confirmationId: id, initiatedBy: null, now })
  const subject = { ...of, kind: 'device', subjectId: device.id } as const
  const key = { kid: 'k', alg: 'Ed25519', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'x' }, activeFrom: now } as const
  await receiptKeys.publish({ ...key, retiredAt: null, revokedAt: null, revokedReason: null })
  await receiptKeys.all()
  await receiptKeys.retire('k', now)
  await receiptKeys.revoke('k', now, 'stolen')
  await confirmations.byId(id)
  const requestedBy = (await users.create([aNewUser()]))[0]?.id ?? 0
  const request = anApprovalRequest({ requestedBy, count: 1 })
  const asked = aConfirmation({ ...of, approvalId: request.id })
  await approvalRequests.open(request, [asked], 5, ['project.read'])
  await approvalRequests.waitingFor(user.id, now, 100)
  await approvalRequests.ask(aConfirmation({ userId: requestedBy, approvalId: request.id, createdAt: now }), 2)
  await approvalRequests.byId(request.id)
  await approvalRequests.openOf(requestedBy, now)
  await approvalRequests.openOfType('payment_approval', { afterId: '', limit: 10, now })
  await approvalRequests.confirmationsOf(request.id)
  await approvalRequests.displaysOf([request.id])
  await approvals.use({
    requestId: request.id,
    confirmationIds: [asked.id],
    consumedBy: 'service:billing',
    consumedKey: null,
    receipts: new Map(),
    now,
  })
  await confirmations.approve({ ...of, id: asked.id, deviceId: probationers[0].id, sessionId, evidence: anEvidence(), now })
  await approvals.use({
    requestId: request.id,
    confirmationIds: [asked.id],
    consumedBy: 'service:billing',
    consumedKey: null,
    receipts: new Map(),
    now,
  })
  const rejected = anApprovalRequest({ requestedBy: user.id })
  const declined = aConfirmation({ ...of, approvalId: rejected.id })
  await approvalRequests.open(rejected, [declined], 5)
  const rejection = { outcome: 'rejected', deviceId: null, rejectReason: null } as const
  await approvals.settle({ ...of, ...rejection, id: declined.id, requestId: rejected.id, now })
  await approvalRequests.open(anApprovalRequest({ requestedBy }), [], 5)
  const withdrawn = anApprovalRequest({ requestedBy })
  await approvalRequests.open(withdrawn, [], 5)
  await approvals.withdraw({ requestId: withdrawn.id, approved: 0, now })
  await approvals.stop({ requestId: withdrawn.id, userId: user.id, reason: aSealedField(), now })
  await approvals.endAllOfUser(requestedBy, now, 'account')
  await approvals.endAllOfUser(requestedBy, now, 'sessions')
  await approvals.countExpired(now - 1000, now)
  await actionPolicies.put({ actionType: 'payment_approval', tenant: null, bands: [{ groups: 'none' }] })
  await actionPolicies.of('payment_approval', 'acme', 'hold')
  await actionPolicies.all()
  await actionPolicies.remove('payment_approval', null)
  const actionType = anActionType()
  await actionTypes.registryVersion()
  await actionTypes.hold()
  await actionTypes.registry()
  await actionTypes.active()
  await actionTypes.register(actionType)
  await actionTypes.byKey(actionType.key)
  await actionTypes.setActive(actionType.key, false)
  await vouchings.put({
    ...subject,
    registeredBy: sessionId,
    confirmationId: id,
    startedByRegistration: true,
    restarts: 0,
    restartsSince: null,
    createdAt: now,
  })
  await vouchings.find({ userId: user.id, confirmationId: id })
  await vouchings.find(subject)
  await vouchings.startedByRegistrations(user.id, now)
  await sessions.end(sessionId, 'logout', now)
  await sessions.open(aSession(of))
  await sessions.endAll({ userId: user.id }, 'user_disabled', now)

  const token = aServiceToken()
  await serviceTokens.add(token)
  await serviceTokens.list()
  await serviceTokens.status(token.id)
  await serviceTokens.holdValid(token.service, now)
  await serviceTokens.revoke(token.id, now)

  await loginFailures.reserve('client', noWaits, now)
  await loginFailures.of({ account: 'account', client: 'client' })
  await loginFailures.giveBack('client', noWaits, now)
  await loginFailures.succeed('client', now, now)
  await loginFailures.remember('client', now, now)
  const ceiling = { burst: 2, refillMs: 1000 }
  await loginFailures.takeFromCeiling('account', ceiling, now)
  await loginFailures.giveBackToCeiling('account', ceiling)

  const limit = { burst: 2, refillMs: 1000, windowMax: 3, windowMs: 60_000 }
  // Allowed, refused by the burst, refused by the window, and allowed after the clock jumped back.
  for (const at of [0, 0, 0, 2000, 4000, 6000, -3_600_000]) await rateLimits.take('key', limit, now + at)
  await rateLimits.giveBack('key', limit, now - 3_600_000)
  await rateLimits.read('key')

  await callProjects(storage, user.id)

  await storage.confirmations.allOfUser(user.id)
  const finished = { before: now, now }
  await storage.confirmations.finished({ ...finished, after: { createdAt: 0, id: '' }, limit: 10 })
  await storage.confirmations.countFinished(finished)
  await storage.confirmations.deleteFinished(['conf_1'], finished)
  await storage.approvals.eraseAllOfUser(user.id)
  await storage.approvalRequests.allOfRequester(user.id)
  await storage.trust.keysHeld(user.id, ['key'])
  await storage.devices.removedOfUser(user.id)
  await storage.oneTimeCodes.allOfUser(user.id)
  await storage.sessions.ofUser(user.id)

  await users.setLock(user.id, now, now)
  await users.setLock(user.id, null, now)
  await users.change(user.id, user.version + 2, { passwordHash: null, permissions: [], disabledAt: now }, now)
  await storage.transaction((tx) => tx.users.admit(user.id, user.version))
  await users.erase(user.id, now)
  const limits = { approvals: now, refusals: now, serviceTokens: now, removedProjects: now }
  await storage.sweepable(now + 365 * 24 * 3_600_000, limits)
  await storage.sweep(now + 365 * 24 * 3_600_000, limits)
  await storage.recoverable({ now, createdSince: now })
  await storage.recover({ now, createdSince: now })

  const forgotten = watched.filter(({ spy }) => spy.mock.calls.length === 0).map(({ called }) => called)
  for (const { spy } of watched) spy.mockRestore()
  expect(forgotten).toStrictEqual([])
}
