import type { ProjectDetail } from '@countersign/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectWorkplace, type ProjectWorkplace } from '../testing/project-workplace.ts'

let here: ProjectWorkplace
let bridge: ProjectDetail
let tunnel: ProjectDetail
beforeAll(async () => {
  here = await createProjectWorkplace()
  bridge = await here.create('Bridge')
  tunnel = await here.create('Tunnel')
})
afterAll(() => here.close())

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const shared = ({ id, uniqueCode, name }: ProjectDetail) => ({
  id,
  uniqueCode,
  name,
  status: 'pending',
  progress: 'technical_negotiating',
  contractValue: 1000.5,
  currency: 'EUR',
  description: '',
  replyDate: null,
  createdAt: timestamp,
  updatedAt: timestamp,
})
const listed = (project: ProjectDetail) => ({ ...shared(project), customerId: here.customerId, creatorId: '1' })
const full = (project: ProjectDetail) => ({
  ...shared(project),
  customer: { id: here.customerId, name: 'ACME GmbH', email: 'office@acme.example' },
  creator: { id: '1', name: 'Ada', email: 'ada@example.com' },
  tasks: [],
  products: [],
  participants: [],
})

test('projects are listed as the HTTP interface lists them, the newest first', async () => {
  expect(await here.json(['project', 'list'])).toEqual([listed(tunnel), listed(bridge)])
  expect(await here.json(['project', 'list', '--limit', '1'])).toEqual([listed(tunnel)])
  expect(await here.json(['project', 'list', '--limit', '0'])).toEqual([])
  expect(await here.json(['project', 'list', '--search', 'BRID'])).toEqual([listed(bridge)])
  expect(await here.json(['project', 'list', '--customer', 'nobody'])).toEqual([])
  const { stdout } = await here.run(['project', 'list', '--status', 'pending', '--progress', 'technical_negotiating'])
  expect(stdout).toMatch(/PRJ-\d{4}-000002\tTunnel\tpending\ttechnical_negotiating\t1000\.5 EUR\b/)
})

test('a project is shown with all its parts', async () => {
  expect(await here.json(['project', 'show', bridge.uniqueCode])).toEqual(full(bridge))
  const { stdout } = await here.run(['project', 'show', bridge.uniqueCode])
  expect(stdout).toMatch(/^customer\tACME GmbH <office@acme\.example>\n/m)
})

test('a project is approved once, and a second approval is refused', async () => {
  const approved = { ...full(bridge), status: 'approved' }
  expect(await here.json(['project', 'approve', bridge.uniqueCode])).toEqual(approved)
  expect(await here.run(['project', 'approve', bridge.uniqueCode])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: The project is approved already\n',
  })
})

test('control characters in a name are escaped on a terminal', async () => {
  const { uniqueCode } = await here.create('\u202eegdirB\u2066')
  const name = '\\u202eegdirB\\u2066'
  expect((await here.run(['project', 'approve', uniqueCode])).stdout).toBe(`Approved ${uniqueCode}: ${name}\n`)
  expect((await here.run(['project', 'show', uniqueCode])).stdout).toContain(`\t${name}\n`)
  expect((await here.run(['project', 'delete', uniqueCode])).stdout).toBe(`Deleted ${uniqueCode}: ${name}\n`)
})

test('the deletion of a project prints the project, which is not found afterwards', async () => {
  const gone = await here.create('Gone')
  expect(await here.json(['project', 'delete', gone.uniqueCode])).toEqual(full(gone))
  expect(await here.run(['project', 'delete', gone.uniqueCode])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: Project not found\n',
  })
  expect(await here.json(['project', 'list', '--search', 'gone'])).toEqual([])
  expect((await here.run(['project', 'list', '--search', 'gone'])).stdout).toBe('There are no such projects.\n')
})

test.each([
  [['project', 'show', 'PRJ-2000-000001'], 1, 'error: Project not found'],
  [['project', 'list', '--progress', 'done'], 1, 'error: progress: must be one of'],
  [['project', 'list', '--limit', 'many'], 2, "error: option '--limit <count>' argument 'many' is invalid"],
])('%j is refused in one line', async (args, code, line) => {
  const ran = await here.run(args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toMatch(new RegExp(`^${line}[^\\n]*\\n$`))
})

test('all projects are listed exactly once, also when they need several pages', async () => {
  const names = Array.from({ length: 201 }, (_, index) => `Many ${index}`)
  for (const name of names) await here.create(name)
  const all = (await here.json(['project', 'list', '--search', 'many'])) as readonly { name: string }[]
  expect(all.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(await here.json(['project', 'list', '--search', 'many', '--limit', '150'])).toHaveLength(150)
})
