import { statSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from '../test/temporary-file.ts'
import { connectWriter } from './connect.ts'

const PAGE = 4096
const MEGABYTE = 2 ** 20

it('the write-ahead log is reused from 16 MB on, however much is written', async () => {
  const path = temporaryPath()
  writeFileSync(path, '')
  const connection = await connectWriter(path)
  onTestFinished(() => void connection.close())
  connection.exec('create table notes (text text)')
  const insert = connection.prepare('insert into notes values (zeroblob(?))')
  const sizes = Array.from({ length: 4 * 150 }, () => {
    insert.run(16 * PAGE)
    return statSync(`${path}-wal`).size / MEGABYTE
  })
  expect(Math.max(...sizes)).toBeGreaterThan(15)
  expect(Math.max(...sizes)).toBeLessThan(17)
})
