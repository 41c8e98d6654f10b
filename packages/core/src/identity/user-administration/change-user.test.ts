import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { createTestUser, signIn, signInNewDeviceUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { UserChangedMeanwhile, UserNotFound } from '../user-model/errors.ts'

let test: TestCountersign
let users: TestCountersign['countersign']['users']
beforeEach(async () => {
  test = await createTestCountersign()
  users = test.countersign.users
})

const newPassword = 'a password of tomorrow'

describe('granting permissions', () => {
  it('adds them to the existing permissions, sorted, without duplicates', async () => {
    const { email } = await createTestUser(test, { permissions: ['project.read'] })
    test.clock.advance(seconds(1))
    expect(await users.grant({ email, permissions: ['expense.read', 'project.read', '*.*'] })).toMatchObject({
      permissions: ['*.*', 'expense.read', 'project.read'],
      updatedAt: test.clock.now(),
    })
  })

  it('is refused if the user has all of them already', async () => {
    const { email } = await createTestUser(test, { permissions: ['a.read', 'b.read'] })
    const outcome = users.grant({ email, permissions: ['b.read', 'a.read'] })
    await expect(outcome).rejects.toStrictEqual(new NothingToChange('The user holds a.read, b.read already'))
  })

  it('writes a log line for each grant and revocation, and for a user who is created with permissions', async () => {
    const { id: userId, email } = await createTestUser(test, { permissions: ['a.read'] })
    await users.grant({ email, permissions: ['b.read'] })
    await users.revoke({ email, permissions: ['a.read'] })
    expect(test.logger.entries).toEqual([
      { level: 'info', event: 'permissions_granted', fields: { userId, permissions: ['a.read'] } },
      { level: 'info', event: 'permissions_granted', fields: { userId, permissions: ['b.read'] } },
      { level: 'info', event: 'permissions_revoked', fields: { userId, permissions: ['a.read'] } },
    ])
  })

  it('of several concurrent calls loses none', async () => {
    const { email } = await createTestUser(test)
    await Promise.all([users.grant({ email, permissions: ['a.read'] }), users.grant({ email, permissions: ['b.read'] })])
    expect(await users.find({ email })).toMatchObject({ permissions: ['a.read', 'b.read'] })
  })

  it('and a concurrent revocation both take effect', async () => {
    const { email } = await createTestUser(test, { permissions: ['a.read'] })
    await Promise.all([users.grant({ email, permissions: ['b.read'] }), users.revoke({ email, permissions: ['a.read'] })])
    expect(await users.find({ email })).toMatchObject({ permissions: ['b.read'] })
  })

  it('refuses an invalid permission, and grants nothing', async () => {
    const { email } = await createTestUser(test)
    await expect(users.grant({ email, permissions: ['a.read', 'everything'] })).rejects.toThrow('permissions: must have the form')
    expect(await users.find({ email })).toMatchObject({ permissions: [] })
  })

  it('keeps the sessions of the user', async () => {
    const { user } = await signInNewUser(test)
    await users.grant({ email: user.email, permissions: ['a.read'] })
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
  })

  it('fails with its own error if concurrent changes always win', async () => {
    const { email } = await createTestUser(test)
    const { storage } = test
    let raced = 0
    const losing: typeof storage = {
      ...storage,
      transaction: async (work) => {
        raced += 1
        await users.grant({ email, permissions: [`other${raced}.read`] })
        return storage.transaction(work)
      },
    }
    const elsewhere = (await createTestCountersign({ ...test, storage: losing })).countersign
    await expect(elsewhere.users.grant({ email, permissions: ['a.read'] })).rejects.toStrictEqual(new UserChangedMeanwhile())
    expect(raced).toBe(3)
    expect((await users.find({ email })).permissions).not.toContain('a.read')
  })
})

describe('revoking permissions', () => {
  it('revokes exactly the named permissions, and wildcards only by name', async () => {
    const { email } = await createTestUser(test, { permissions: ['expense.*', 'project.read', 'project.update'] })
    const revoked = await users.revoke({ email, permissions: ['project.read', 'project.*'] })
    expect(revoked.permissions).toStrictEqual(['expense.*', 'project.update'])
  })

  it.each([
    [['project.update'], 'The user does not hold project.update'],
    [['expense.read'], 'The user does not hold expense.read; expense.* still grants it'],
    [['*.*', 'expense.read'], 'The user does not hold *.*. The user does not hold expense.read; expense.* still grants it'],
  ])('is refused if the user holds none of them: %j', async (permissions, why) => {
    const { email } = await createTestUser(test, { permissions: ['expense.*', 'project.read'] })
    await expect(users.revoke({ email, permissions })).rejects.toStrictEqual(new NothingToChange(why))
  })

  it('is refused if a remaining wildcard would still grant one of them, and revokes none', async () => {
    const { email } = await createTestUser(test, { permissions: ['expense.*', 'expense.read', 'project.read'] })
    const why = 'Without expense.read, expense.* would still grant it: revoke expense.* too'
    const outcome = users.revoke({ email, permissions: ['project.read', 'expense.read'] })
    await expect(outcome).rejects.toStrictEqual(new NothingToChange(why))
    expect((await users.find({ email })).permissions).toContain('project.read')
    const both = await users.revoke({ email, permissions: ['expense.*', 'expense.read'] })
    expect(both.permissions).toStrictEqual(['project.read'])
  })

  it('names *.* as the wildcard that still grants a permission', async () => {
    const { email } = await createTestUser(test, { permissions: ['*.*'] })
    const outcome = users.revoke({ email, permissions: ['project.*'] })
    await expect(outcome).rejects.toThrow('The user does not hold project.*; *.* still grants it')
  })
})

describe('disabling a user', () => {
  it('ends every session, and prevents logins', async () => {
    const { user, web, mobile } = await signInNewDeviceUser(test)
    const at = test.clock.now()
    expect(await users.disable({ email: user.email })).toMatchObject({ disabledAt: at })
    for (const { sessionId } of [web.caller, mobile.caller]) {
      expect(await test.storage.sessions.byId(sessionId)).toMatchObject({ endedAt: at, endReason: 'user_disabled' })
    }
    await expect(signIn(test, user)).rejects.toThrow('Invalid email or password')
  })

  it('is refused for a disabled user, and so is enabling a user who is not disabled', async () => {
    const { email } = await createTestUser(test)
    await expect(users.enable({ email })).rejects.toStrictEqual(new NothingToChange('The user is not disabled'))
    const { disabledAt } = await users.disable({ email })
    test.clock.advance(seconds(9))
    await expect(users.disable({ email })).rejects.toStrictEqual(new NothingToChange('The user is disabled already'))
    expect(await users.find({ email })).toMatchObject({ disabledAt })
  })

  it('does not affect other users', async () => {
    const other = await signInNewUser(test)
    await users.disable({ email: (await createTestUser(test)).email })
    await expect(test.countersign.auth.authenticate({ token: other.tokens.accessToken })).resolves.toBeDefined()
  })

  it('is undone by enabling, and password, permissions and devices stay the same', async () => {
    const { user, device, web } = await signInNewDeviceUser(test)
    await users.disable({ email: user.email })
    expect(await users.enable({ email: user.email })).toMatchObject({ disabledAt: null })
    await expect(signIn(test, user)).resolves.toBeDefined()
    expect(await test.countersign.devices.list({ caller: web.caller })).toMatchObject([{ id: device.id }])
  })
})

describe('setting a password', () => {
  it('accepts the new password and refuses the old password', async () => {
    const { email } = await createTestUser(test)
    const login = (password: string) => test.countersign.auth.login({ email, password })
    await users.setPassword({ email, password: newPassword })
    await expect(login(testPassword)).rejects.toThrow('Invalid email or password')
    await expect(login(newPassword)).resolves.toBeDefined()
  })

  it('ends every earlier session', async () => {
    const { user, web, mobile } = await signInNewDeviceUser(test)
    await users.setPassword({ email: user.email, password: newPassword })
    for (const { sessionId } of [web.caller, mobile.caller]) {
      expect(await test.storage.sessions.byId(sessionId)).toMatchObject({ endReason: 'password_changed' })
    }
  })

  it('sets the first password of a user without one', async () => {
    const { email, hasPassword } = await createTestUser(test, { password: undefined })
    expect(hasPassword).toBe(false)
    expect(await users.setPassword({ email, password: newPassword })).toMatchObject({ hasPassword: true })
  })

  it('refuses a short password, and ends no session', async () => {
    const { user } = await signInNewUser(test)
    await expect(users.setPassword({ email: user.email, password: 'too short' })).rejects.toThrow(
      'password: must be 12 to 128 characters',
    )
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
  })
})

it('every operation on an unknown user fails with UserNotFound', async () => {
  const email = 'nobody@example.test'
  for (const asked of [
    () => users.find({ email }),
    () => users.disable({ email }),
    () => users.enable({ email }),
    () => users.setPassword({ email, password: newPassword }),
    () => users.grant({ email, permissions: ['a.read'] }),
    () => users.revoke({ email, permissions: ['a.read'] }),
    () => test.countersign.sessions.list({ email }),
  ]) {
    await expect(asked()).rejects.toStrictEqual(new UserNotFound())
  }
})
