import { beforeAll, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

const here = workplaceOfFile()
beforeAll(async () => {
  await (await openCore(here)).close()
})

const create = ['customer', 'create', '--name', 'ACME GmbH', '--email', 'Office@ACME.example']

test('customers are created and listed, the oldest first', async () => {
  expect(await here.json(['customer', 'list'])).toEqual([])
  const acme = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'ACME GmbH', email: 'office@acme.example' }
  expect(await here.json(create)).toEqual(acme)
  const { stdout } = await here.run(['customer', 'create', '--name', 'Zoë', '--email', 'zoe@example.com'])
  expect(stdout).toMatch(/^Created customer [0-9a-f-]{36}: Zoë\n$/)
  expect(await here.json(['customer', 'list'])).toEqual([acme, { ...acme, name: 'Zoë', email: 'zoe@example.com' }])
  expect((await here.run(['customer', 'list'])).stdout).toMatch(/\tACME GmbH\toffice@acme\.example$/m)
})

test.each([
  ['an invalid email', ['customer', 'create', '--name', 'A', '--email', 'x'], 1, 'error: email: must be one email address'],
  ['an empty name', ['customer', 'create', '--name', '', '--email', 'a@b.example'], 1, 'error: name: must be text'],
  ['no email', ['customer', 'create', '--name', 'A'], 2, "error: required option '--email <email>' not specified"],
])('%s is refused in one line', async (_what, args, code, line) => {
  const ran = await here.run(args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toMatch(new RegExp(`^${line}[^\\n]*\\n$`))
})
