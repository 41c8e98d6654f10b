import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createProjectWorkplace, type ProjectWorkplace } from '../testing/project-workplace.ts'

let here: ProjectWorkplace
beforeAll(async () => {
  here = await createProjectWorkplace()
})
afterAll(() => here.close())

const example = new URL('../../../../examples/action-types/wire-transfer.json', import.meta.url)
const definition = JSON.parse(readFileSync(example, 'utf8')) as {
  readonly schema: { readonly required: readonly string[]; readonly properties: object }
  readonly display: object
}
const { schema, display } = definition

const keyOf = (version: string): string => `action_schema:wire_transfer:v${version}`
const entryOf = (version: string, given: object = {}) => ({
  key: keyOf(version),
  type: 'wire_transfer',
  version,
  title: 'Wire transfer',
  active: true,
  requiredFields: ['amount', 'currency', 'to'],
  registeredAt: expect.any(String),
  ...given,
})

const write = (name: string, content: unknown): string => here.write(name, JSON.stringify(content))
const register = (file: string, version: string, ...more: readonly string[]) => [
  ...['action', 'register', file, '--type', 'wire_transfer', '--version', version],
  ...more,
]

const payload = { amount: 1250.5, currency: 'EUR', to: { name: "Ada's Workshop", account: 'DE02' } }

/** Returns the version that a running server uses for a new confirmation. */
const usedVersion = async (): Promise<string | null> => {
  const action = { caller: { userId: 1 }, actionType: 'wire_transfer', actionPayload: payload }
  const { id } = await here.server.countersign.confirmations.initiate(action)
  return (await here.server.countersign.confirmations.status({ caller: action.caller, confirmationId: id })).actionTypeVersion
}

test('the example is registered, used by running servers, listed and shown', async () => {
  await expect(usedVersion()).rejects.toThrow('actionType: must be one of payment_approval')
  const file = write('wire-transfer.json', definition)
  expect(await here.json(register(file, '1.0.0'))).toEqual(entryOf('1.0.0'))
  expect(await usedVersion()).toBe('1.0.0')
  expect(await here.json(['action', 'list'])).toEqual({ version: 1, actionTypes: [entryOf('1.0.0')] })
  expect((await here.run(['action', 'list'])).stdout).toBe(
    `key\ttitle\tactive\tapplies\trequired\n${keyOf('1.0.0')}\tWire transfer\tyes\tyes\tamount, currency, to\n`,
  )
  expect(await here.json(['action', 'show', keyOf('1.0.0')])).toEqual({ ...entryOf('1.0.0'), ...definition })
  const { stdout } = await here.run(['action', 'show', keyOf('1.0.0'), '--definition'])
  expect(JSON.parse(stdout)).toEqual(definition)
})

test('a version for one tenant is registered and checked apart from the type without a tenant', async () => {
  const file = write('ofTenant.json', definition)
  const key = 'action_schema:wire_transfer@acme:v1.0.0'
  const entry = { ...entryOf('1.0.0'), key, type: 'wire_transfer@acme' }
  expect(await here.json(register(file, '1.0.0', '--tenant', 'acme'))).toEqual(entry)
  expect(await usedVersion()).toBe('1.0.0')
  const narrower = write('narrower.json', { schema: { ...schema, required: [...schema.required, 'date'] }, display })
  const check = (...tenant: readonly string[]) => here.run(['action', 'check', narrower, '--type', 'wire_transfer', ...tenant])
  expect([(await check('--tenant', 'acme')).code, (await check('--tenant', 'new')).code]).toEqual([1, 0])
  expect((await check('--tenant', 'a b')).stderr).toContain('tenant: must be 1 to 64 characters')
  await here.json(['action', 'deactivate', key])
})

test('a version is activated and deactivated while servers run', async () => {
  const file = write('later.json', definition)
  const later = entryOf('1.1.0', { title: 'Later', active: false })
  expect(await here.json(register(file, '1.1.0', '--title', 'Later', '--inactive'))).toEqual(later)
  expect(await usedVersion()).toBe('1.0.0')
  expect(await here.json(['action', 'activate', keyOf('1.1.0')])).toEqual({ ...later, active: true })
  expect(await usedVersion()).toBe('1.1.0')
  expect((await here.run(['action', 'deactivate', keyOf('1.1.0')])).stdout).toBe(`Deactivated ${keyOf('1.1.0')}\n`)
  expect(await usedVersion()).toBe('1.0.0')
})

test('a definition is checked against the active version, and a breaking change exits with 1', async () => {
  const fine = write('fine.json', definition)
  expect(await here.json(['action', 'check', fine, '--type', 'wire_transfer'])).toEqual({ compatible: true, breaking: [] })
  const narrower = { schema: { ...schema, required: [...schema.required, 'date'] }, display }
  const breaking = write('breaking.json', narrower)
  const { code, stdout } = await here.run(['action', 'check', breaking, '--type', 'wire_transfer', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toEqual({ compatible: false, breaking: [{ field: 'date', reason: expect.any(String) }] })
  const refused = await here.run(register(breaking, '2.0.0'))
  expect(refused.stderr).toMatch(/^error: The schema would refuse what version 1\.0\.0 accepts: date: [^\n]+\n$/)
  expect(await here.json(register(breaking, '2.0.0', '--allow-breaking'))).toMatchObject({ version: '2.0.0', active: true })
})

test('register and check warn that a `format` in the schema is a note only and is not checked', async () => {
  const properties = { ...schema.properties, date: { type: 'string', format: 'date' } }
  const file = write('format.json', { schema: { ...schema, properties }, display })
  const warning = 'warning: the schema has a note at #/properties/date/format, which is not checked; a pattern is checked\n'
  expect((await here.run(['action', 'check', file, '--type', 'wire_transfer', '--json'])).stderr).toBe(warning)
  const { stdout, stderr } = await here.run([...register(file, '0.1.0', '--allow-breaking', '--inactive'), '--json'])
  expect(stderr).toBe(warning)
  expect(JSON.parse(stdout)).toEqual(entryOf('0.1.0', { active: false }))
})

test('a registered version never changes, and an unknown key is refused', async () => {
  const ran = await here.run(register(write('again.json', definition), '1.0.0'))
  expect(ran).toMatchObject({
    code: 1,
    stderr: `error: ${keyOf('1.0.0')} is registered already; a registered version never changes\n`,
  })
  for (const command of ['show', 'activate', 'deactivate']) {
    const { code, stderr } = await here.run(['action', command, 'action_schema:none:v1.0.0'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: Action type not found\n' })
  }
})

const withNote = { ...schema, properties: { ...schema.properties, note: { type: 'string' } } }

test.each<[string, unknown, string]>([
  ['a member without a line', { schema: withNote, display }, 'The action type cannot be shown: /note has no line'],
  ['an open object', { schema: { ...schema, additionalProperties: true }, display }, 'The action type cannot be shown: '],
  ['a file without a display', { schema }, 'The action type cannot be shown: '],
  ['a file without a schema', { display }, 'definition: must be JSON with the members schema and display'],
  ['JSON that is no schema', { schema: { ...schema, required: 1 }, display }, 'schema: at #/required '],
])('%s is refused in one line', async (_, content, line) => {
  const { code, stdout, stderr } = await here.run(register(write('bad.json', content), '9.0.0'))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(`error: ${line}`)).toBe(true)
  expect(stderr.trimEnd()).not.toContain('\n')
})

test('a built-in type is refused', async () => {
  const file = write('contract.json', definition)
  const { code, stderr } = await here.run(['action', 'register', file, '--type', 'payment_approval', '--version', '9.0.0'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: type: must not be a built-in type\n' })
})

test('`action types` writes TypeScript declarations of the active types: of the type without a tenant, and of the types of tenants', async () => {
  const other = await createProjectWorkplace()
  onTestFinished(() => other.close())
  const given = other.write('wire-transfer.json', JSON.stringify(definition))
  await other.json(register(given, '1.0.0'))
  await other.json(['action', 'register', given, '--type', 'off-line', '--version', '1.0.0', '--inactive'])
  const declared = (name: string, payload: string) =>
    `// Written by \`countersign action types\`.\nexport {}\n\ndeclare module '${name}' {\n  interface ActionTypes {\n${payload}  }\n}\n`
  const transfer =
    '    wire_transfer: {\n      amount: number\n      currency: string\n      to: {\n        name: string\n        account: string\n      }\n      date?: string\n      invoices?: string[]\n    }\n'
  const { stdout } = await other.run(['action', 'types'])
  expect(stdout).toBe(declared('@countersign/contract', transfer))
  const line = { title: { en: 'Note' }, lines: [{ label: { en: 'Title' }, pointer: '/title', format: 'text' }] }
  const title = { title: 'Title of a note', enum: ['a', 'b'], type: 'string' }
  const note = { title: 'Note', type: 'object', properties: { title }, required: ['title'], additionalProperties: false }
  const ofTenant = other.write('note.json', JSON.stringify({ schema: note, display: line }))
  await other.json(['action', 'deactivate', keyOf('1.0.0')])
  await other.json(['action', 'register', ofTenant, '--type', 'my-note', '--version', '1.0.0'])
  const closed = { ...note, required: [] }
  const open = other.write('open.json', JSON.stringify({ schema: closed, display: line }))
  await other.json(['action', 'register', open, '--type', 'my-note', '--version', '1.0.0', '--tenant', 'acme'])
  const both =
    "    'my-note':\n      | {\n          title: 'a' | 'b'\n        }\n      | {\n          title?: 'a' | 'b'\n        }\n"
  expect(await other.json(['action', 'types', '--package', '@countersign/client-sdk'])).toEqual({
    declaration: declared('@countersign/client-sdk', both).trimEnd(),
  })
})
