import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectWorkplace, type ProjectWorkplace } from '../testing/project-workplace.ts'

let here: ProjectWorkplace
beforeAll(async () => {
  here = await createProjectWorkplace()
})
afterAll(() => here.close())

const schemaOf = (required: readonly string[], title?: string) =>
  JSON.stringify({ type: 'object', title, required, properties: { cpu: { type: 'string' }, cores: { type: 'integer' } } })

const entryOf = (version: string, given: object = {}) => ({
  type: 'hardware',
  key: `product_schema:hardware:v${version}`,
  version,
  title: 'Hardware',
  active: true,
  requiredFields: ['cpu'],
  ...given,
})

const register = (file: string, version: string, ...more: readonly string[]) => [
  'schema',
  'register',
  file,
  '--type',
  'hardware',
  '--version',
  version,
  ...more,
]

const createBox = async (attributes: Readonly<Record<string, unknown>>) => {
  const { projects } = here.server.countersign
  const products = [{ name: 'Box', productType: 'hardware', attributes }]
  const given = { name: 'X', customerId: here.customerId, contractValue: 1, currency: 'EUR', products }
  const caller = { userId: 1, permissions: ['project.create'] }
  return (await projects.create({ caller, ...given })).products[0]?.schemaVersion
}

test('a registered schema is used by running servers, listed and shown', async () => {
  await expect(createBox({ cpu: 'x' })).rejects.toThrow('productType: must be a registered product type')
  const file = here.write('hardware.json', schemaOf(['cpu'], 'Hardware'))
  expect(await here.json(register(file, '1.0.0'))).toEqual(entryOf('1.0.0'))
  expect(await createBox({ cpu: 'x' })).toBe('1.0.0')

  const { version, schemas } = (await here.json(['schema', 'list'])) as { version: string; schemas: { key: string }[] }
  expect(version).toMatch(/^\d+$/)
  expect(schemas.map(({ key }) => key)).toEqual([
    entryOf('1.0.0').key,
    'product_schema:service:v1.0.0',
    'product_schema:software:v1.0.0',
  ])
  expect((await here.run(['schema', 'list'])).stdout).toMatch(/^product_schema:hardware:v1\.0\.0\tHardware\tyes\tyes\tcpu$/m)

  expect(await here.json(['schema', 'show', entryOf('1.0.0').key])).toEqual(entryOf('1.0.0'))
  expect(await here.json(['schema', 'show', entryOf('1.0.0').key, '--schema'])).toMatchObject({ required: ['cpu'] })
  const { stdout } = await here.run(['schema', 'show', entryOf('1.0.0').key, '--schema'])
  expect(JSON.parse(stdout)).toMatchObject({ title: 'Hardware', required: ['cpu'] })
})

test('a version is activated and deactivated while servers run', async () => {
  const file = here.write('later.json', schemaOf(['cpu']))
  const later = entryOf('1.1.0', { title: 'Later', active: false })
  expect(await here.json(register(file, '1.1.0', '--title', 'Later', '--inactive'))).toEqual(later)
  expect(await createBox({ cpu: 'x' })).toBe('1.0.0')
  expect(await here.json(['schema', 'activate', later.key])).toEqual({ ...later, active: true })
  expect(await createBox({ cpu: 'x' })).toBe('1.1.0')
  expect((await here.run(['schema', 'list'])).stdout.split('\n').slice(0, 3)).toEqual([
    'key\ttitle\tactive\tapplies\trequired',
    'product_schema:hardware:v1.0.0\tHardware\tyes\tno\tcpu',
    'product_schema:hardware:v1.1.0\tLater\tyes\tyes\tcpu',
  ])
  expect(await here.json(['schema', 'deactivate', later.key])).toEqual(later)
  expect(await createBox({ cpu: 'x' })).toBe('1.0.0')
})

test('a schema is checked against the active version, and a breaking change exits with 1', async () => {
  const fine = here.write('fine.json', schemaOf(['cpu']))
  expect(await here.json(['schema', 'check', fine, '--type', 'hardware'])).toEqual({ compatible: true, breaking: [] })
  expect((await here.run(['schema', 'check', fine, '--type', 'hardware'])).stdout).toBe('Compatible\n')

  const breaking = here.write('breaking.json', schemaOf(['cpu', 'cores']))
  const { code, stdout, stderr } = await here.run(['schema', 'check', breaking, '--type', 'hardware', '--json'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({
    compatible: false,
    breaking: [{ field: 'cores', reason: expect.any(String), value: expect.anything() }],
  })
  expect((await here.run(['schema', 'check', breaking, '--type', 'hardware'])).stdout).toMatch(/^cores\t/m)

  const refused = await here.run(register(breaking, '2.0.0'))
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^error: The schema would refuse what version 1\.0\.0 accepts: cores: [^\n]+\n$/)
  expect(await here.json(register(breaking, '2.0.0', '--allow-breaking'))).toMatchObject({ version: '2.0.0', active: true })
})

test('register and check warn that a `format` in the schema is a note only and is not checked', async () => {
  const file = here.write('format.json', '{"required":["cpu"],"properties":{"cpu":{"type":"string","format":"uri"}}}')
  const stderr = 'warning: the schema has a note at #/properties/cpu/format, which is not checked; a pattern is checked\n'
  expect(await here.run(['schema', 'check', file, '--type', 'hardware', '--json'])).toMatchObject({ stderr })
  const { stdout, ...ran } = await here.run([...register(file, '0.1.0', '--allow-breaking', '--inactive'), '--json'])
  expect(ran).toEqual({ code: 0, stderr })
  expect(JSON.parse(stdout)).toEqual(entryOf('0.1.0', { title: 'hardware', active: false }))
})

test('a registered version never changes', async () => {
  const file = here.write('other.json', schemaOf([]))
  const ran = await here.run(register(file, '1.0.0'))
  expect(ran).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: product_schema:hardware:v1.0.0 is registered already; a registered version never changes\n',
  })
})

test.each([
  ['invalid JSON', '{', '3.0.0', 'schema: '],
  ['JSON that is no schema', '{"type":"thing"}', '3.0.0', 'schema: at #/type '],
  ['a remote reference', '{"$ref":"https://example.com/x.json"}', '3.0.0', 'schema: at #/\\$ref '],
  ['an exponential pattern', '{"pattern":"^(a+)\\\\1$"}', '3.0.0', 'schema: at #/pattern '],
  ['a malformed version', '{}', '3', 'version: must have the form major\\.minor\\.patch'],
])('%s is refused in one line that names the place and the reason', async (_what, text, version, line) => {
  const ran = await here.run(register(here.write('bad.json', text), version))
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(new RegExp(`^error: ${line}[^\\n]*\\n$`))
})

test.each([
  ['a missing file', 'nothing.json', 'error: the file cannot be read (ENOENT)'],
  ['a directory', '.', 'error: the file is a directory'],
])('%s is refused', async (_what, file, line) => {
  expect(await here.run(['schema', 'check', file, '--type', 'hardware'])).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
})

test('a file that is not UTF-8, or is far too large, is refused', async () => {
  const latin1 = here.write('latin1.json', Buffer.from('{"title":"é"}', 'latin1'))
  const large = here.write('large.json', ' '.repeat(1024 * 1024 + 1))
  for (const [file, line] of [
    [latin1, 'error: the file must be UTF-8\n'],
    [large, 'error: the file holds more than a schema\n'],
    ['/dev/zero', 'error: the file holds more than a schema\n'],
  ] as const) {
    expect((await here.run(['schema', 'check', file, '--type', 'hardware'])).stderr).toBe(line)
  }
})

test.each([
  ['{"properties":{"cpu":{"maximum":1e400}}}', 'at #/properties/cpu/maximum must be a number that a double can hold'],
  ['{"title":"\\ud800"}', 'at #/title must not contain NUL or unpaired surrogates'],
  ['{"required":["cpu"],"required":[]}', 'at #/required must not be given twice'],
])('a schema text that no database can store is neither checked nor registered: %s', async (text, complaint) => {
  const file = here.write('lost.json', text)
  for (const command of [register(file, '9.0.0'), ['schema', 'check', file, '--type', 'hardware']]) {
    expect(await here.run(command)).toMatchObject({ code: expect.any(Number), stderr: `error: schema: ${complaint}\n` })
  }
  expect((await here.run(['schema', 'show', entryOf('9.0.0').key])).code).toBe(1)
})

test('an unregistered key is refused', async () => {
  for (const command of ['show', 'activate', 'deactivate']) {
    const ran = await here.run(['schema', command, 'product_schema:none:v1.0.0'])
    expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: Product schema not found\n' })
  }
})
