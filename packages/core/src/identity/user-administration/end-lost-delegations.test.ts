import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { createTestUser } from '../../testing/sign-in.ts'

const permission = 'payment.approve'
const [giver, delegate] = ['ada@example.test', 'bob@example.test']

/** Each way takes the permission of the giver away, and gives it back. */
const ways = {
  'an administrator': async () => {
    const test = await createTestCountersign()
    for (const email of [giver, delegate]) await createTestUser(test, { email })
    const { users } = test.countersign
    await users.grant({ email: giver, permissions: [permission] })
    return {
      test,
      takeAway: () => users.revoke({ email: giver, permissions: [permission] }),
      giveBack: () => users.grant({ email: giver, permissions: [permission] }),
    }
  },
  'an import with update': async () => {
    const test = await createTestCountersign()
    for (const email of [giver, delegate]) await createTestUser(test, { email })
    const give = (permissions: readonly string[]) =>
      test.countersign.users.import({ lines: [{ line: 1, value: { email: giver, permissions } }], existing: 'update' })
    await give([permission])
    return { test, takeAway: () => give([]), giveBack: () => give([permission]) }
  },
  'the directory of the host': async () => {
    const directory = memoryDirectory()
    const test = await createTestCountersign({ users: directory })
    const add = (email: string, permissions: readonly string[]) =>
      directory.add({ email, passwordHash: null, disabled: false, permissions })
    const ids = [await add(giver, [permission]), await add(delegate, [])] as const
    for (const directoryId of ids) await test.countersign.users.sync({ directoryId })
    const give = async (permissions: readonly string[]) => {
      await directory.change(ids[0], { permissions })
      await test.countersign.users.sync({ directoryId: ids[0] })
    }
    return { test, takeAway: () => give([]), giveBack: () => give([permission]) }
  },
} satisfies Record<
  string,
  () => Promise<{ test: TestCountersign; takeAway: () => Promise<unknown>; giveBack: () => Promise<unknown> }>
>

describe('a delegation whose giver loses the permission', () => {
  it.each(Object.entries(ways))(
    'by %s ends with a line in the log, and does not come back with the permission',
    async (_, way) => {
      const { test, takeAway, giveBack } = await way()
      const { users } = test.countersign
      const { from, to } = await users.delegate({ from: giver, to: delegate, permission, until: test.clock.now() + days(1) })
      await takeAway()
      await giveBack()
      expect(await users.delegations({ email: delegate })).toStrictEqual([])
      const ended = test.logger.entries.filter(({ event }) => event === 'delegation_ended')
      expect(ended).toStrictEqual([
        { level: 'info', event: 'delegation_ended', fields: { from: from.id, to: to.id, permission } },
      ])
    },
  )
})
