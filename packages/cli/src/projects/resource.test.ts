import type { ProjectDetail } from '@countersign/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectWorkplace, type ProjectWorkplace } from '../testing/project-workplace.ts'

let here: ProjectWorkplace
let bridge: ProjectDetail
beforeAll(async () => {
  here = await createProjectWorkplace()
  bridge = await here.create('Bridge')
})
afterAll(() => here.close())

const counts = () =>
  here.server.countersign.resources.count({ uniqueCode: bridge.uniqueCode, caller: 'admin', resourceTypes: ['Task'] })

const aTask = (externalId: string, given: object = {}) =>
  JSON.stringify({ projectCode: bridge.uniqueCode, type: 'Task', externalId, name: 'Dig', status: 'open', ...given })

test('resources are imported from NDJSON, and a second import changes nothing', async () => {
  const file = here.write('tasks.ndjson', `${aTask('t1')}\n${aTask('t2', { status: 'done' })}\n`)
  expect(await here.json(['resource', 'import', file])).toEqual({ imported: 2, updated: 0 })
  expect(await here.run(['resource', 'import', file])).toEqual({
    code: 0,
    stdout: 'Imported 0 new, updated 0\nThere was nothing to do.\n',
    stderr: '',
  })
  expect(await counts()).toEqual([
    { type: 'Task', count: 1, status: 'done' },
    { type: 'Task', count: 1, status: 'open' },
  ])
})

test('the format is detected from the content when the extension is unknown', async () => {
  const ndjson = here.write('some-lines', `\n ${aTask('t3')}`)
  expect(await here.json(['resource', 'import', ndjson])).toEqual({ imported: 1, updated: 0 })
  const csv = here.write(
    'a-table.txt',
    `type,projectCode,externalId,status,name\nTask,${bridge.uniqueCode},t3,late,"Dig, deep"\n`,
  )
  expect(await here.json(['resource', 'import', csv])).toEqual({ imported: 0, updated: 1 })
})

test('an empty file imports nothing', async () => {
  for (const name of ['empty.csv', 'empty.ndjson', 'empty']) {
    for (const content of ['', '\n \r\n']) {
      expect(await here.json(['resource', 'import', here.write(name, content)])).toEqual({ imported: 0, updated: 0 })
    }
  }
})

test('a bad line is reported by its number, and no line of the file is imported', async () => {
  const before = await counts()
  const many = Array.from({ length: 2500 }, (_, index) => aTask(`new-${index}`))
  for (const [bad, line] of [
    [aTask('x', { type: 'Issue' }), 'error: line 2501: type: must be one of '],
    [aTask('x', { projectCode: 'PRJ-2000-000001' }), 'error: line 2501: projectCode: must be the code of a project'],
    ['{"projectCode"', 'error: line 2501: must be a JSON object'],
  ] as const) {
    const ran = await here.run(['resource', 'import', here.write('bad.ndjson', `${many.join('\n')}\n${bad}\n`)])
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr.split('\n')).toHaveLength(2)
    expect(ran.stderr).toContain(line)
  }
  expect(await counts()).toEqual(before)
})

test('a missing file is refused', async () => {
  const ran = await here.run(['resource', 'import', 'nothing.csv'])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: the file cannot be read (ENOENT)\n' })
})
