import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestUser, registerTestDevice, signIn } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
beforeEach(async () => {
  here = createWorkplace()
  await (await openCore(here)).close()
})
afterEach(() => here.remove())

const write = (text: string): string => {
  const path = join(here.directory, 'policy.json')
  writeFileSync(path, text)
  return path
}
const policy = (...args: readonly string[]) => here.run(['action', 'policy', ...args])
const setTwo = ['payment_approval', '--permission', 'payment.approve', '--count', '2']
const none = { code: 1, stdout: '', stderr: 'error: The action type has no approval policy\n' }

test('action policy sets, shows, replaces and removes the policy that a request needs', async () => {
  expect(await policy('payment_approval')).toMatchObject(none)
  expect(await policy(...setTwo)).toMatchObject({
    code: 0,
    stdout: 'A request for payment_approval needs the approvals of 2 people with payment.approve\n',
  })
  expect(await policy(...setTwo)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: payment_approval has this policy already\n',
  })
  const bands = [{ groups: [{ permission: 'payment.approve', count: 2 }] }]
  const shown = { actionType: 'payment_approval', tenant: null, version: 1, bands }
  expect(await here.json(['action', 'policy', 'payment_approval'])).toEqual(shown)
  const { countersign, close } = await openCore(here)
  expect(await countersign.actionPolicies.show({ actionType: 'payment_approval' })).toEqual(shown)
  await close()
  expect(await here.json(['action', 'policy', ...setTwo.slice(0, -1), '1'])).toEqual({
    ...shown,
    version: 2,
    bands: [{ groups: [{ permission: 'payment.approve', count: 1 }] }],
  })
  const labels = ['--label', 'en=Finance', '--label', 'de=Buchhaltung = Zahlungen']
  expect(await policy(...setTwo.slice(0, -1), '1', ...labels)).toMatchObject({
    code: 0,
    stdout:
      'A request for payment_approval needs the approvals of 1 person with payment.approve (Finance, Buchhaltung = Zahlungen)\n',
  })
  const label = { en: 'Finance', de: 'Buchhaltung = Zahlungen' }
  expect(await here.json(['action', 'policy', 'payment_approval'])).toEqual({
    ...shown,
    version: 2,
    bands: [{ groups: [{ permission: 'payment.approve', count: 1, label }] }],
  })
  expect(await policy('payment_approval')).toMatchObject({ code: 0, stdout: expect.stringMatching(/payment\.approve/) })
  expect(await policy('payment_approval', '--remove')).toMatchObject({
    code: 0,
    stdout: 'Removed the stored policy of payment_approval\n',
  })
  expect(await policy('payment_approval', '--remove')).toMatchObject({
    ...none,
    stderr: 'error: No policy of this action type is stored\n',
  })
  expect(await policy('payment_approval')).toMatchObject(none)
})

test.each([
  ['a count of zero', ['payment_approval', '--permission', 'payment.approve', '--count', '0'], 1, 'count'],
  ['a count above 20', ['payment_approval', '--permission', 'payment.approve', '--count', '21'], 1, 'count'],
  ['a count that is no number', ['payment_approval', '--permission', 'payment.approve', '--count', '-1'], 2, '--count'],
  ['a wildcard', ['payment_approval', '--permission', 'payment.*', '--count', '2'], 1, 'permission'],
  ['a type in capitals', ['Payment', '--permission', 'payment.approve', '--count', '2'], 1, 'actionType'],
  ['a permission alone', ['payment_approval', '--permission', 'payment.approve'], 2, 'go together'],
  ['a count alone', ['payment_approval', '--count', '2'], 2, 'go together'],
  ['a label without a group', ['payment_approval', '--label', 'en=Finance'], 2, "'--label' needs"],
  ['a label without a language', [...setTwo.slice(0, -1), '1', '--label', 'Finance'], 1, 'label'],
  ['a removal with a policy', [...setTwo, '--remove'], 2, 'cannot be used with'],
])('action policy refuses %s, and changes nothing', async (_, args, code, complaint) => {
  await policy(...setTwo)
  expect(await policy(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(complaint) })
  expect(await here.json(['action', 'policy', 'payment_approval'])).toMatchObject({
    bands: [{ groups: [{ permission: 'payment.approve', count: 2 }] }],
  })
})

test('action policy without a type lists the policies that apply', async () => {
  const guarded = createWorkplace({ COUNTERSIGN_APPROVAL_POLICIES: 'payment_approval:payment.release:3' })
  await guarded.json(['migrate'])
  await guarded.run(['action', 'policy', ...setTwo])
  await guarded.run(['action', 'policy', 'wire_transfer', '--permission', 'wire.release', '--count', '2'])
  expect(await guarded.json(['action', 'policy'])).toEqual([
    {
      actionType: 'payment_approval',
      tenant: null,
      version: 1,
      bands: [{ groups: [{ permission: 'payment.release', count: 3 }] }],
    },
    {
      actionType: 'wire_transfer',
      tenant: null,
      version: 1,
      bands: [{ groups: [{ permission: 'wire.release', count: 2 }] }],
    },
  ])
  expect(await guarded.run(['action', 'policy', '--remove'])).toMatchObject({ code: 2, stderr: expect.stringContaining('type') })
  guarded.remove()
  expect(await here.run(['action', 'policy'])).toMatchObject({ code: 0, stdout: 'There are no approval policies.\n' })
})

test('action policy says that a policy from the environment takes precedence over the stored one', async () => {
  const guarded = createWorkplace({ COUNTERSIGN_APPROVAL_POLICIES: 'payment_approval:payment.release:3' })
  await guarded.json(['migrate'])
  const { stdout } = await guarded.run(['action', 'policy', ...setTwo])
  expect(stdout).toBe(
    'A request for payment_approval needs the approvals of 3 people with payment.release: COUNTERSIGN_APPROVAL_POLICIES comes before the stored policy\n',
  )
  expect(await guarded.json(['action', 'policy', 'payment_approval'])).toMatchObject({
    bands: [{ groups: [{ count: 3 }] }],
  })
  guarded.remove()
})

const bands = [
  {
    when: {
      type: 'object',
      properties: { amount: { type: 'number', maximum: 1000 }, currency: { const: 'EUR' } },
      required: ['amount', 'currency'],
    },
    groups: 'none',
  },
  {
    groups: [
      { permission: 'finance.approve', count: 2 },
      { permission: 'legal.approve', count: 1 },
    ],
    reasonRequired: true,
  },
]

test('action policy reads a policy of bands from a file, for one tenant', async () => {
  const path = write(JSON.stringify({ bands }))
  expect(await policy('payment_approval', path, '--tenant', 'acme')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^A request for payment_approval in acme needs the approvals of nobody when .*; else 2 people with finance\.approve and 1 person with legal\.approve\n$/,
    ),
  })
  expect(await policy('payment_approval', path, '--tenant', 'acme')).toMatchObject({
    code: 1,
    stderr: 'error: payment_approval in acme has this policy already\n',
  })
  const shown = { actionType: 'payment_approval', tenant: 'acme', version: 1, bands }
  expect(await here.json(['action', 'policy', 'payment_approval', '--tenant', 'acme'])).toEqual(shown)
  expect(await here.json(['action', 'policy'])).toEqual([shown])
  expect(await policy('payment_approval')).toMatchObject(none)
  expect(await policy('payment_approval', '--remove')).toMatchObject({ code: 1 })
  expect(await policy('payment_approval', '--remove', '--tenant', 'acme')).toMatchObject({
    code: 0,
    stdout: 'Removed the stored policy of payment_approval in acme\n',
  })
})

test.each([
  ['no JSON', '{', 'must be JSON'],
  ['no bands', '{"groups":"none"}', 'the member bands'],
  ['another member', '{"bands":[],"version":1}', 'the member bands'],
  ['an empty list of groups', '{"bands":[{"groups":[]}]}', 'bands[0].groups'],
  [
    'a bound with more digits than a double holds',
    '{"bands":[{"when":{"properties":{"amount":{"maximum":999999999999999.99}}},"groups":"none"}]}',
    'bands[0].when.properties.amount.maximum: must be a number that a double holds',
  ],
  ['a member twice', '{"bands":[{"groups":"none","groups":[]}]}', 'bands[0].groups: must not be given twice'],
])('action policy refuses a file with %s', async (_, text, complaint) => {
  const path = write(text)
  expect(await policy('payment_approval', path)).toMatchObject({ code: 1, stderr: expect.stringContaining(complaint) })
  expect(await policy('payment_approval')).toMatchObject(none)
})

test('action policy warns of a band whose check takes too much work for a long payload, and that such a payload is refused', async () => {
  const recipient = { type: 'string', pattern: 'supplier-1[0-9]' }
  const withPattern = [{ when: { properties: { recipient } }, groups: bands[1]?.groups }, bands[1]]
  const path = write(JSON.stringify({ bands: withPattern }))
  const warning = 'warning: band 1 cannot check every payload of 4 KB: a request is refused if the check takes too much work\n'
  expect(await policy('payment_approval', path, '--dry-run')).toMatchObject({ code: 0, stderr: warning })
  expect(await policy('payment_approval', path)).toMatchObject({ code: 0, stderr: warning })
  const testOf = (text: string) => policy('test', 'payment_approval', '--payload', write(JSON.stringify({ recipient: text })))
  expect(await testOf('supplier-19')).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) })
  expect(await testOf(`supplier-19${' '.repeat(4000)}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('actionPayload: must be smaller or simpler'),
  })
})

test('action policy refuses a last band that asks for less than an earlier band; with the option that allows it, it warns', async () => {
  const path = write(JSON.stringify({ bands: [{ ...bands[0], groups: bands[1]?.groups }, { groups: 'none' }] }))
  expect(await policy('payment_approval', path)).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-weaker') })
  expect(await policy('payment_approval')).toMatchObject(none)
  const warning =
    'warning: the last band asks for less than band 1: an amount sent as text, or another currency, needs fewer approvals\n'
  const allowed = ['payment_approval', path, '--allow-weaker']
  expect(await policy(...allowed, '--dry-run')).toMatchObject({ code: 0, stderr: warning })
  expect(await policy(...allowed)).toMatchObject({ code: 0, stderr: warning })
  expect(await policy('test', 'payment_approval', '--payload', write('{"amount":"10"}'))).toMatchObject({
    stdout: 'Band 2 of 2 applies: it needs nobody\n',
    stderr: warning,
  })
  const { stdout } = await here.run(['doctor', '--json'])
  expect(JSON.parse(stdout)).toContainEqual({
    check: 'policies',
    status: 'warning',
    detail: expect.stringMatching(/^payment_approval: the last band asks for less than band 1: /),
  })
})

const people = async (permission: string, count: number) => {
  const opened = await openCore(here)
  for (let at = 0; at < count; at += 1) {
    const user = await createTestUser(opened, { email: `${permission}-${at}@example.com`, permissions: [permission] })
    await registerTestDevice(opened, (await signIn(opened, user)).caller)
  }
  return opened
}

test('action policy test says which band applies, who would be asked, and what is missing', async () => {
  const { close } = await people('finance.approve', 2)
  await close()
  const open = { type: 'object', properties: { amount: { type: 'number', maximum: 5 } }, required: ['amount'] }
  await policy('payment_approval', write(JSON.stringify({ bands: [bands[0], { when: open, groups: 'none' }, bands[1]] })))
  const testOf = (payload: object, ...more: readonly string[]) =>
    policy('test', 'payment_approval', '--payload', write(JSON.stringify(payload)), ...more)
  const warning = 'warning: band 2 compares an amount without pinning its currency: give the currency a const, and require it\n'
  expect(await testOf({ amount: 10, currency: 'EUR' })).toEqual({
    code: 0,
    stdout: 'Band 1 of 3 applies: it needs nobody\n',
    stderr: warning,
  })
  expect(await testOf({ amount: 10, currency: 'USD' }, '--tenant', 'acme')).toEqual({
    code: 0,
    stdout:
      'Band 3 of 3 applies: it needs 2 people with finance.approve and 1 person with legal.approve\nAsked would be:\nfinance.approve-0@example.com\nfinance.approve-1@example.com\n',
    stderr: `warning: too few users can approve this now: a request would be refused\n${warning}`,
  })
  const payload = write(JSON.stringify({ amount: 10, currency: 'USD' }))
  const { stdout } = await policy('test', 'payment_approval', '--payload', payload, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    band: 2,
    count: 3,
    areEnough: false,
    approvers: [{ email: 'finance.approve-0@example.com' }, { email: 'finance.approve-1@example.com' }],
    bandsWithoutCurrency: [1],
  })
  expect(await policy('test')).toMatchObject({ code: 2, stderr: expect.stringContaining('--payload') })
  expect(await policy('test', 'payment_approval')).toMatchObject({ code: 2, stderr: expect.stringContaining('--payload') })
  expect(await policy('test', 'test', '--payload', payload)).toMatchObject({ code: 1, stderr: expect.stringContaining('test') })
  expect(await policy('test', 'user_access', '--payload', payload)).toMatchObject(none)
  expect(await policy('test', 'payment_approval', '--payload', write('{'))).toMatchObject({
    code: 1,
    stderr: 'error: the file must be JSON\n',
  })
})

test('action policy --dry-run lists the open requests that a policy would end, and stores nothing', async () => {
  await policy('payment_approval', '--permission', 'finance.approve', '--count', '1')
  const { countersign, close } = await people('finance.approve', 1)
  const { id: userId } = await countersign.users.create({ email: 'ada@example.com' })
  const actionPayload = { amount: 10, currency: 'EUR', recipient: 'Ada' }
  const { id } = await countersign.approvalRequests.start({
    actionType: 'payment_approval',
    actionPayload,
    caller: { userId },
  })
  await close()
  const two = ['payment_approval', '--permission', 'finance.approve', '--count', '2', '--dry-run']
  expect(await policy(...two)).toMatchObject({ code: 0, stdout: expect.stringContaining(id), stderr: '' })
  expect(await here.json(['action', 'policy', ...two])).toEqual({
    ended: [
      { id, requestedBy: userId, tenant: null, createdAt: expect.stringMatching(/Z$/), expiresAt: expect.stringMatching(/Z$/) },
    ],
    bandsWithoutCurrency: [],
    bandsTooComplex: [],
    bandsAboveLast: [],
    bandsForEverything: [],
  })
  expect(await policy('payment_approval', write(JSON.stringify({ bands: [{ groups: 'none' }] })), '--dry-run')).toMatchObject({
    code: 0,
    stdout: 'The policy would end no open request.\n',
  })
  expect(await here.json(['action', 'policy', 'payment_approval'])).toMatchObject({ version: 1 })
  expect(await policy('payment_approval', '--dry-run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs a file'),
  })
  expect(await policy('payment_approval', '--dry-run', '--remove')).toMatchObject({ code: 2 })
})
