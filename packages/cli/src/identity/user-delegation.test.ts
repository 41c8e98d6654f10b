import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const [ada, bob] = ['ada@example.com', 'bob@example.com'] as const
const until = new Date(Date.now() + 86_400_000).toISOString()

const { here, server } = await openWorkplaceOfFile()
beforeAll(async () => {
  await server.countersign.users.create({ email: ada, permissions: ['payment.approve'] })
  await server.countersign.users.create({ email: bob })
})

test('a delegation is given, listed and ended', async () => {
  const permission = ['--permission', 'payment.approve']
  const given = { from: { email: ada }, to: { email: bob }, permission: 'payment.approve', until }
  expect(await here.json(['user', 'delegate', ada, '2', ...permission, '--until', until])).toMatchObject(given)
  expect(await here.json(['user', 'delegations', bob])).toMatchObject([given])
  expect((await here.run(['user', 'delegations', ada])).stdout).toContain(`${ada}\t${bob}\tpayment.approve\t${until}`)
  const ended = await here.run(['user', 'undelegate', ada, bob, ...permission])
  expect([ended.code, ended.stdout]).toEqual([0, 'The delegation of payment.approve has ended\n'])
  const log = readFileSync(join(here.directory, 'changes.log'), 'utf8')
  expect(log).toMatch(/"permission_delegated".*\n.*"delegation_ended"/)
  expect((await here.run(['user', 'undelegate', ada, bob, ...permission])).code).toBe(1)
  expect(await here.json(['user', 'delegations', bob])).toEqual([])
})

test('a delegation until a day includes the day', async () => {
  const day = until.slice(0, 10)
  const given = ['user', 'delegate', ada, bob, '--permission', 'payment.approve', '--until', day]
  expect(await here.json(given)).toMatchObject({ until: `${day}T23:59:59.999Z` })
})

test('a permission that the user does not hold is refused with the reason', async () => {
  const { code, stderr } = await here.run(['user', 'delegate', bob, ada, '--permission', 'order.approve', '--until', until])
  expect([code, stderr]).toEqual([1, `error: permission: ${bob} does not hold it\n`])
})
