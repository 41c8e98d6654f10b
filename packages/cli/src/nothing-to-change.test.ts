import { readFileSync } from 'node:fs'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import {
  createTestUser,
  registerTestDevice,
  registerTestPasskey,
  signIn,
  wireTransferDefinition,
} from '@countersign/core/testing'
import type { Command } from 'commander'
import { afterAll, expect, test } from 'vitest'
import { createProgram } from './program.ts'
import { openOlderSession } from './testing/open-older-session.ts'
import { createProjectWorkplace } from './testing/project-workplace.ts'

const here = await createProjectWorkplace()
afterAll(() => here.close())

const { server } = here
const env = { COUNTERSIGN_APPROVAL_POLICIES: 'contract_sign:contract.sign:2' }

/** A user, with a trusted device and a device and a passkey on probation. */
const user = await createTestUser(server, { email: 'grace@example.com' })
const { caller } = await signIn(server, user)
const trusted = await registerTestDevice(server, caller)
const olderSession = async () => ({ ...caller, sessionId: (await openOlderSession(server, user.id)).id })
const device = await registerTestDevice(server, await olderSession())
const { passkey } = await registerTestPasskey(server, await olderSession())
const { sessionId } = await olderSession()

/** A user who has delegated a permission. */
const holder = await createTestUser(server, { email: 'holder@example.com', permissions: ['payment.approve', 'order.approve'] })
const until = Date.now() + 86_400_000
const lent = { from: holder.email, to: user.email, permission: 'payment.approve' }
await server.countersign.users.delegate({ ...lent, until })

const { id: serviceToken } = await server.countersign.serviceTokens.issue({ service: 'billing' })
const { uniqueCode } = await here.create('Bridge')
const write = (name: string, definition: unknown) => here.write(name, JSON.stringify(definition))
const version = ['--type', 'hardware', '--version', '1.0.0'] as const
await here.json(['schema', 'register', write('schema.json', wireTransferDefinition.schema), ...version])
await here.json(['action', 'register', write('action.json', wireTransferDefinition), ...version])
const kids: string[] = []
for (let count = 0; count < 2; count += 1) {
  for (const { kid, alg, jwk } of parseReceiptKeyRing(generateReceiptKeyRing()).keys) {
    const key = { kid, alg, jwk, activeFrom: Date.now(), retiredAt: null, revokedAt: null, revokedReason: null }
    await server.storage.receiptKeys.publish(key)
    kids.push(kid)
  }
}
const [retired = '', revoked = ''] = kids

const logged = (): readonly unknown[] =>
  readFileSync(here.env.COUNTERSIGN_LOG_FILE ?? '', { encoding: 'utf8', flag: 'a+' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly event: string }).event)

const changes = [
  ['user grant', [user.email, 'project.read'], 'The user holds project.read already', 'permissions_granted'],
  ['user revoke', [user.email, 'project.read'], 'The user does not hold project.read', 'permissions_revoked'],
  [
    'user undelegate',
    [lent.from, lent.to, '--permission', lent.permission],
    'holder@example.com has not delegated payment.approve to grace@example.com',
    'delegation_ended',
  ],
  ['user update', [user.email, '--name', 'Grace Hopper'], 'The user has these values already', 'user_updated'],
  ['device trust', [device.device.id], 'The device is trusted already', 'device_trusted'],
  ['device revoke', [trusted.device.id], 'Device not found', 'device_revoked'],
  ['passkey trust', [passkey.id], 'The passkey is trusted already', 'passkey_trusted'],
  ['passkey revoke', [passkey.id], 'Passkey not found', 'passkey_revoked'],
  ['session revoke', [sessionId], 'The session has ended already', 'session_revoked'],
  ['user disable', [user.email], 'The user is disabled already', 'user_disabled'],
  ['user enable', [user.email], 'The user is not disabled', 'user_enabled'],
  ['user lock', [user.email], 'The account is locked already', 'account_locked'],
  ['user unlock', [user.email], 'The account is not locked', 'account_unlocked'],
  ['user delete', [user.email, '--yes'], 'User not found', 'user_deleted'],
  ['service-token revoke', [serviceToken], 'The service token is revoked already', 'service_token_revoked'],
  ['keys retire', [retired, '--yes'], 'The receipt key was already retired or revoked', 'receipt_key_retired'],
  [
    'keys revoke',
    [revoked, '--reason', 'lost', '--yes'],
    'The receipt key was already retired or revoked',
    'receipt_key_revoked',
  ],
  ['schema deactivate', ['product_schema:hardware:v1.0.0'], 'The version is not active', 'product_schema_deactivated'],
  ['schema activate', ['product_schema:hardware:v1.0.0'], 'The version is active already', 'product_schema_activated'],
  ['action deactivate', ['action_schema:hardware:v1.0.0'], 'The version is not active', 'action_type_deactivated'],
  ['action activate', ['action_schema:hardware:v1.0.0'], 'The version is active already', 'action_type_activated'],
  [
    'action policy',
    ['contract_sign', '--permission', 'contract.sign', '--count', '3'],
    'contract_sign has this policy already',
    'action_policy_set',
  ],
  ['action policy', ['contract_sign', '--remove'], 'No policy of this action type is stored', 'action_policy_removed'],
  ['project approve', [uniqueCode], 'The project is approved already', 'project_approved'],
  ['project delete', [uniqueCode], 'Project not found', 'project_deleted'],
] as const

test.each(changes)('%s %j changes something once, with a line in the log; a second run fails and says why', async (...row) => {
  const [command, args, why, event] = row
  const run = () => here.run([...command.split(' '), ...args], { env })
  expect(await run()).toMatchObject({ code: 0, stderr: '' })
  const lines = logged()
  expect(lines.at(-1)).toBe(event)
  expect(await run()).toEqual({ code: 1, stdout: '', stderr: `error: ${why}\n` })
  expect(logged()).toEqual(lines)
})

const email = 'linus@example.com'
const password = 'a password, long enough'
const other = `sqlite:${here.write('other.db', '')}`
const actionFile = write('next.json', wireTransferDefinition)
const schemaFile = write('schema.json', wireTransferDefinition.schema)
const next = ['--type', 'hardware', '--version', '1.0.1'] as const
const { COUNTERSIGN_DATABASE_URL: source = '' } = here.env
const { uniqueCode: code } = await here.create('Tunnel')
const task = { projectCode: code, type: 'Task', externalId: 't1', name: 'Dig', status: 'open' }
const resources = here.write('resources.ndjson', JSON.stringify(task))
const expenses = here.write(
  'expenses.csv',
  `projectCode,externalId,category,amount,currency,incurredAt
${code},e1,labor,1,EUR,2026-01-31
`,
)

const userFile = here.write('users.ndjson', JSON.stringify({ email: 'more@example.com', permissions: ['project.read'] }))

const additions = [
  ['user create', ['--email', email, '--password-stdin'], ['user_created']],
  ['user set-password', [email, '--password-stdin'], ['password_set']],
  ['user invite', ['new@example.com'], ['one_time_code_issued']],
  [
    'user delegate',
    [holder.email, 'new@example.com', '--permission', 'order.approve', '--until', new Date(until).toISOString()],
    ['permission_delegated'],
  ],
  ['user enrol', [email], ['one_time_code_issued']],
  ['user reset', [email], ['one_time_code_issued']],
  ['user import', [userFile], ['permissions_granted', 'users_imported']],
  ['service-token issue', ['--service', 'billing'], ['service_token_issued']],
  ['schema register', [schemaFile, ...next], ['product_schema_registered']],
  ['action register', [actionFile, ...next], ['action_type_registered']],
  ['customer create', ['--name', 'A', '--email', 'a@example.com'], ['customer_created']],
  ['resource import', [resources], ['resources_imported']],
  ['expense import', [expenses], ['expenses_imported']],
  ['keys rotate', ['--encryption'], ['fields_encrypted']],
  ['sweep', [], ['swept']],
  ['recover after-restore', ['--since', '2026-01-31', '--yes'], ['recovered_after_restore']],
  ['migrate-data', ['--from', source, '--to', other], ['data_moved']],
  ['migrate', [], ['migrated']],
] as const

test.each(additions)('%s %j writes %j', async (command, args, events) => {
  const before = logged().length
  const elsewhere = command === 'migrate' ? { COUNTERSIGN_DATABASE_URL: `sqlite:${here.write('new.db', '')}` } : {}
  expect(await here.run([...command.split(' '), ...args], { stdin: password, env: elsewhere })).toMatchObject({ code: 0 })
  expect(logged().slice(before)).toEqual(events)
})

const leaves = (command: Command, path: readonly string[] = []): readonly string[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [path.join(' ')] : []),
  ...command.commands.flatMap((one) => leaves(one, [...path, one.name()])),
]

test('every command that changes something is in one of the tables of this test', async () => {
  const { env, stdin, stdout, stderr } = process
  // `archive` is in the test of its own, because it needs old confirmations.
  const reading =
    /^(archive|serve|doctor|openapi|completion|keys generate|user (export|why|delegations)|receipt .*|.* (list|show|check|test|types))$/
  const listed = new Set<string>([...changes, ...additions].map(([command]) => command))
  const all = leaves(createProgram({ env, stdin, stdout, stderr }))
  expect(all.filter((command) => !listed.has(command) && !reading.test(command))).toEqual([])
})
