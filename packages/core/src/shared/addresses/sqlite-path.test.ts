import { describe, expect, it } from 'vitest'
import { sqlitePathFault } from './sqlite-path.ts'

describe('the path of a SQLite database', () => {
  it.each(['countersign.db', './~/x.db', '.countersign/my data.db', '/var/lib/countersign/x.db', '../@x#1.db', '日本/資料.db'])(
    'may be %j',
    (path) => {
      expect(sqlitePathFault(path)).toBeUndefined()
    },
  )

  it.each([
    ['', 'must name a file'],
    [':memory:', 'must name a file'],
    ['x.db ', 'white space'],
    ['x.db\r', 'white space'],
    ['\tx.db', 'white space'],
    ['x.db\u00a0', 'white space'],
    ['x\n.db', 'control characters'],
    ['x\u0000.db', 'control characters'],
    ['x.db?mode=ro', 'parameters'],
    ['file:x.db', 'file: URL'],
    ['~/x.db', '~'],
    ['//host/x.db', 'two slashes'],
    ['///var/lib/x.db', 'two slashes'],
    [String.raw`\\host\x.db`, 'two slashes'],
  ])('is refused with a sentence: %j', (path, why) => {
    expect(sqlitePathFault(path)).toContain(why)
  })

  it.skipIf(process.platform === 'win32').each([String.raw`C:\data\x.db`, 'c:/x.db', 'C:x.db'])(
    'is refused with a drive letter where drives have none: %s',
    (path) => {
      expect(sqlitePathFault(path)).toContain('drive letter')
    },
  )
})
