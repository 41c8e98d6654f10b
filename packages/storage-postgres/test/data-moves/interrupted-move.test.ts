import { type DataMoveProgress, DataMoveRefused, type DataSource, type MigratedStorage } from '@countersign/core/storage'
import { describe, expect, it } from 'vitest'
import { connect } from '../open-migrated.ts'
import { addLimits, newSqlite, newTarget } from './open-databases.ts'

const ROWS = 5000

class BrokenOff extends Error {}

/** Starts a move and interrupts it in a phase. */
const breakOff = async (target: MigratedStorage, source: DataSource, where: DataMoveProgress['phase']): Promise<void> => {
  const onProgress = ({ phase, rows }: DataMoveProgress) => {
    if (phase === where && rows > ROWS / 2) throw new BrokenOff()
  }
  await expect(target.takeOver(source, { onProgress })).rejects.toBeInstanceOf(BrokenOff)
}

const limitsOf = async (url: string) => {
  const client = await connect(url)
  const { rows } = await client.query<{ count: string }>('select count(*) from rate_limit_states')
  return Number(rows[0]?.count)
}

const given = async () => {
  const source = await newSqlite()
  addLimits(source, ROWS)
  return { source, ...(await newTarget()) }
}

describe('an interrupted data move', () => {
  it.each(['copy', 'verify', 'complete'] as const)(
    'in the phase %s leaves an empty target, and can be started again',
    async (phase) => {
      const { source, url, target } = await given()
      await breakOff(target, source.storage, phase)
      expect(await limitsOf(url)).toBe(0)
      const seen: DataMoveProgress[] = []
      const moved = await target.takeOver(source.storage, { onProgress: (progress) => seen.push(progress) })
      expect(moved).toContainEqual({ name: 'rate_limit_states', rows: ROWS })
      expect([...new Set(seen.map((one) => one.phase))]).toStrictEqual(['copy', 'verify', 'complete'])
      expect(seen.at(-1)).toMatchObject({ rows: seen.at(-1)?.total })
      expect(await limitsOf(url)).toBe(ROWS)
    },
  )

  it('leaves an empty SQLite database too', async () => {
    const { target: source } = await newTarget()
    await source.takeOver((await given()).source.storage)
    const { storage, file } = await newSqlite(false)
    await breakOff(storage, source, 'copy')
    expect(file.prepare('select count(*) from countersign_rate_limit_states').pluck().get()).toBe(0)
    await storage.takeOver(source)
    expect(file.prepare('select count(*) from countersign_rate_limit_states').pluck().get()).toBe(ROWS)
  })
})

it('one of two moves at the same time is refused', async () => {
  const { source, url, target } = await given()
  const outcomes = await Promise.allSettled([target.takeOver(source.storage), target.takeOver(source.storage)])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map(({ reason }) => reason)).toStrictEqual([expect.any(DataMoveRefused)])
  expect(await limitsOf(url)).toBe(ROWS)
})

it('a second move into the same database is refused, and changes nothing', async () => {
  const { source, url, target } = await given()
  await target.takeOver(source.storage)
  await expect(target.takeOver(source.storage)).rejects.toThrow(/^The target holds other data already \(rate_limit_states\)/)
  expect(await limitsOf(url)).toBe(ROWS)
})
