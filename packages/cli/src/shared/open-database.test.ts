import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
beforeEach(() => {
  here = createWorkplace()
})
afterEach(() => here.remove())

test('a byte order mark that hides the first variable of a file is named, by a command of each kind', async () => {
  const env = { '\uFEFFCOUNTERSIGN_DATABASE_URL': 'postgres://db.example/app' }
  const stderr =
    'warning: \\ufeffCOUNTERSIGN_DATABASE_URL: is read by nothing; the nearest known name is COUNTERSIGN_DATABASE_URL\n'
  expect(await here.run(['migrate'], { env })).toMatchObject({ code: 0, stderr })
  expect(await here.run(['user', 'list'], { env })).toMatchObject({ code: 0, stderr })
})
