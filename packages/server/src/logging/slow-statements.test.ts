import { recordingLogger } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { slowStatementLog } from './slow-statements.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const given = () => {
  const logger = recordingLogger()
  return { logger, slow: slowStatementLog(logger, 1000) }
}
const aStatement = { system: 'postgresql', text: 'select 1', milliseconds: 1000 } as const

it('a statement that takes at least the threshold is logged with its text and its time', () => {
  const { logger, slow } = given()
  slow.statement({ ...aStatement, milliseconds: 999.9 })
  slow.statement({ ...aStatement, milliseconds: 1234.5 })
  expect(logger.entries).toEqual([
    { level: 'warn', event: 'slow_statement', fields: { statement: 'select 1', durationMs: 1235 } },
  ])
})

it('a slow statement that failed is logged with the code of its error, and without the message', () => {
  const { logger, slow } = given()
  slow.statement({ ...aStatement, error: Object.assign(new Error('secret'), { code: '57014' }) })
  expect(logger.entries[0]?.fields).toEqual({ statement: 'select 1', durationMs: 1000, code: '57014' })
})

it('at most ten lines a second are logged, and the next line says how many were omitted', () => {
  const { logger, slow } = given()
  for (let index = 0; index < 25; index += 1) slow.statement(aStatement)
  expect(logger.entries).toHaveLength(10)
  vi.advanceTimersByTime(1000)
  slow.statement(aStatement)
  slow.statement(aStatement)
  expect(logger.entries.slice(10).map(({ fields }) => fields.leftOut)).toEqual([15, undefined])
})
