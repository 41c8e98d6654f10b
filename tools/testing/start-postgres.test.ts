import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { startPostgres } from './start-postgres.ts'

const query = async (url: string, statement: string): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

describe('startPostgres', () => {
  it('keeps committed data through a crash, and removes all its files at the end', async () => {
    const first = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } })
    await query(first.url, 'create table kept as select 1 as value')
    await first.stop('immediate')

    const second = await startPostgres({ directory: first.directory, port: first.port })
    expect(second.url).toBe(first.url)
    expect(await query(second.url, 'select value from kept')).toStrictEqual([{ value: 1 }])

    await second.remove()
    await first.remove()
    expect(existsSync(dirname(first.directory))).toBe(false)
    await expect(query(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('ends when the process that started it ends in any way', async () => {
    const code = `
      const { startPostgres } = await import(${JSON.stringify(new URL('start-postgres.ts', import.meta.url).href)})
      const { url, directory } = await startPostgres()
      console.log(JSON.stringify({ url, directory }))`
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [output] = (await once(owner.stdout, 'data')) as [Buffer]
    const { url, directory } = JSON.parse(output.toString()) as { readonly url: string; readonly directory: string }
    expect(await query(url, 'select 1 as value')).toStrictEqual([{ value: 1 }])

    owner.kill('SIGKILL')
    await expect.poll(() => existsSync(dirname(directory)), { timeout: 25_000 }).toBe(false)
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  it('rejects with the output of a server that does not start', async () => {
    await expect(startPostgres({ settings: { no_such_setting: 'on' } })).rejects.toThrow(
      'unrecognized configuration parameter "no_such_setting"',
    )
  })
})
