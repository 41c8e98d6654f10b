import { beforeAll, expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const gates = { COUNTERSIGN_GATES: 'user.grant:user_access,project.approve:document_approval' }
const password = 'correct horse battery'

const { here, server } = await openWorkplaceOfFile()
beforeAll(async () => {
  for (const email of ['ada@example.com', 'bob@example.com']) await server.countersign.users.create({ email, password })
  Object.assign(here.env, gates)
})

const grant = ['user', 'grant', 'bob@example.com', 'project.read']
const permissionsOf = async (email: string) => (await server.countersign.users.find({ email })).permissions

/** Waits for the confirmation of a command, and rejects it as the user. */
const rejectNext = async (userId: number): Promise<string> => {
  for (;;) {
    const [pending] = await server.storage.confirmations.pendingOfUser(userId, Date.now())
    if (pending !== undefined) {
      await server.countersign.confirmations.reject({ caller: { userId }, confirmationId: pending.id })
      return pending.actionType
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test.each([
  ['a grant', grant],
  ['a user with permissions', ['user', 'create', '--email', 'eve@example.com', '--password-stdin', '--permission', '*.*']],
])('with a gate on grants, %s needs the approval of a user', async (_what, args) => {
  const { code, stdout, stderr } = await here.run(args, { stdin: password })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe('error: a gate asks for an approval; name the user who approves with --as <user>\n')
  expect(await permissionsOf('bob@example.com')).toEqual([])
  await expect(server.countersign.users.find({ email: 'eve@example.com' })).rejects.toMatchObject({ code: 'user_not_found' })
})

test('a user without permissions needs no approval', async () => {
  expect(
    await here.json(['user', 'create', '--email', 'kim@example.com', '--password-stdin'], { stdin: password }),
  ).toMatchObject({
    email: 'kim@example.com',
  })
})

test('a rejected grant changes nothing', async () => {
  const { id } = await server.countersign.users.find({ email: 'ada@example.com' })
  const [rejected, { code, stderr }] = await Promise.all([rejectNext(id), here.run([...grant, '--as', 'ada@example.com'])])
  expect(rejected).toBe('user_access')
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Waiting for ada@example\.com to approve on a device\. The number is \d\d\.\nerror: the confirmation is rejected; nothing was changed\n$/,
  )
  expect(await permissionsOf('bob@example.com')).toEqual([])
})
