import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
beforeEach(async () => {
  here = createWorkplace()
  await here.json(['migrate'])
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
  const shown = { actionType: 'payment_approval', scope: null, version: 1, bands }
  expect(await here.json(['action', 'policy', 'payment_approval'])).toEqual(shown)
  const { countersign, close } = await openCore(here)
  expect(await countersign.actionPolicies.show({ actionType: 'payment_approval' })).toEqual(shown)
  await close()
  expect(await here.json(['action', 'policy', ...setTwo.slice(0, -1), '1'])).toEqual({
    ...shown,
    version: 2,
    bands: [{ groups: [{ permission: 'payment.approve', count: 1 }] }],
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
      scope: null,
      version: 1,
      bands: [{ groups: [{ permission: 'payment.release', count: 3 }] }],
    },
    {
      actionType: 'wire_transfer',
      scope: null,
      version: 1,
      bands: [{ groups: [{ permission: 'wire.release', count: 2 }] }],
    },
  ])
  expect(await guarded.run(['action', 'policy', '--remove'])).toMatchObject({ code: 2, stderr: expect.stringContaining('type') })
  guarded.remove()
  expect(await here.run(['action', 'policy'])).toMatchObject({ code: 0, stdout: 'There are no approval policies.\n' })
})

test('action policy says that the policy of the environment comes first', async () => {
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

test('action policy reads a policy of bands from a file, for one scope', async () => {
  const path = write(JSON.stringify({ bands }))
  expect(await policy('payment_approval', path, '--scope', 'acme')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^A request for payment_approval in acme needs the approvals of nobody when .*; else 2 people with finance\.approve and 1 person with legal\.approve\n$/,
    ),
  })
  expect(await policy('payment_approval', path, '--scope', 'acme')).toMatchObject({
    code: 1,
    stderr: 'error: payment_approval in acme has this policy already\n',
  })
  const shown = { actionType: 'payment_approval', scope: 'acme', version: 1, bands }
  expect(await here.json(['action', 'policy', 'payment_approval', '--scope', 'acme'])).toEqual(shown)
  expect(await here.json(['action', 'policy'])).toEqual([shown])
  expect(await policy('payment_approval')).toMatchObject(none)
  expect(await policy('payment_approval', '--remove')).toMatchObject({ code: 1 })
  expect(await policy('payment_approval', '--remove', '--scope', 'acme')).toMatchObject({
    code: 0,
    stdout: 'Removed the stored policy of payment_approval in acme\n',
  })
})

test.each([
  ['no JSON', '{', 'must be JSON'],
  ['no bands', '{"groups":"none"}', 'the member bands'],
  ['another member', '{"bands":[],"version":1}', 'the member bands'],
  ['an empty list of groups', '{"bands":[{"groups":[]}]}', 'bands[0].groups'],
])('action policy refuses a file with %s', async (_, text, complaint) => {
  const path = write(text)
  expect(await policy('payment_approval', path)).toMatchObject({ code: 1, stderr: expect.stringContaining(complaint) })
  expect(await policy('payment_approval')).toMatchObject(none)
})
