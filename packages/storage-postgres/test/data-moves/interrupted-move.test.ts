import {
  type DataMoveProgress,
  DataMoveRefused,
  DataMoveUnfinished,
  type DataSource,
  type MigratedStorage,
} from '@countersign/core/storage'
import { describe, expect, it } from 'vitest'
import { connect } from '../open-migrated.ts'
import { addLimits, newSqlite, newTarget } from './open-databases.ts'

const ROWS = 5000

class BrokenOff extends Error {}

/** Starts a move and interrupts it in the middle of the big table. */
const breakOff = async (target: MigratedStorage, source: DataSource): Promise<void> => {
  const onProgress = ({ phase, rows }: DataMoveProgress) => {
    if (phase === 'copy' && rows > ROWS / 2) throw new BrokenOff()
  }
  await expect(target.takeOver(source, { onProgress })).rejects.toBeInstanceOf(BrokenOff)
}

/** Finishes a move and returns its progress. */
const finish = async (target: MigratedStorage, source: DataSource) => {
  const seen: DataMoveProgress[] = []
  const moved = await target.takeOver(source, { onProgress: (progress) => seen.push(progress) })
  const firstCopied = seen.find(({ phase }) => phase === 'copy')?.rows ?? 0
  return {
    rows: moved.find(({ name }) => name === 'rate_limit_states')?.rows,
    phases: new Set(seen.map(({ phase }) => phase)),
    firstCopied,
  }
}

const given = async () => {
  const source = await newSqlite()
  addLimits(source, ROWS)
  const { url, target } = await newTarget()
  await breakOff(target, source.storage)
  return { source, url, target }
}

describe('an interrupted data move', () => {
  it('leaves a target database that refuses to be used', async () => {
    const { target } = await given()
    await expect(target.migrate()).rejects.toBeInstanceOf(DataMoveUnfinished)
    await expect(target.migrationStatus()).rejects.toBeInstanceOf(DataMoveUnfinished)
  })

  it('continues where it stopped and copies no row twice', async () => {
    const { source, target } = await given()
    const { rows, phases, firstCopied } = await finish(target, source.storage)
    expect(rows).toBe(ROWS)
    expect([...phases]).toStrictEqual(['recheck', 'copy', 'verify', 'complete'])
    expect(firstCopied).toBeGreaterThan(ROWS / 2)
    expect((await target.migrationStatus()).pending).toStrictEqual([])
  })

  it('starts again when a copied row has changed in the source', async () => {
    const { source, target } = await given()
    source.file.exec(`update countersign_rate_limit_states set full_at = full_at + 1 where key = 'key-1'`)
    const { rows, firstCopied } = await finish(target, source.storage)
    expect(rows).toBe(ROWS)
    expect(firstCopied).toBeLessThan(ROWS / 2)
  })

  it('copies rows that were added to the source after the interruption', async () => {
    const { source, target } = await given()
    source.file.exec(`insert into countersign_rate_limit_states values ('key-x', 1, '[]', 1, 1)`)
    expect((await finish(target, source.storage)).rows).toBe(ROWS + 1)
  })

  it('is finished by only one of two processes that continue it concurrently', async () => {
    const { source, url, target } = await given()
    const outcomes = await Promise.allSettled([target.takeOver(source.storage), target.takeOver(source.storage)])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.map(({ reason }) => reason)).toStrictEqual([expect.any(DataMoveRefused)])
    const client = await connect(url)
    const { rows } = await client.query<{ count: string }>('select count(*) from rate_limit_states')
    expect(rows).toStrictEqual([{ count: String(ROWS) }])
  })

  it.each([
    ['copies', 1],
    ['compares', 2],
  ])('rejects a process that still %s when another process finishes the move', async (_, heldSnapshot) => {
    const { source, target } = await given()
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let snapshots = 0
    const late = target.takeOver({
      snapshot: (work) =>
        source.storage.snapshot((from) => {
          snapshots += 1
          if (snapshots !== heldSnapshot) return work(from)
          const rowsAfter: typeof from.rowsAfter = async (...args) => {
            held.resolve()
            await ended.promise
            return from.rowsAfter(...args)
          }
          return work({ ...from, rowsAfter })
        }),
    })
    await held.promise
    expect((await finish(target, source.storage)).rows).toBe(ROWS)
    ended.resolve()
    await expect(late).rejects.toBeInstanceOf(DataMoveRefused)
  })
})

describe('a finished data move', () => {
  it('only compares the rows when it is run again', async () => {
    const { source, target } = await given()
    await finish(target, source.storage)
    const { rows, phases } = await finish(target, source.storage)
    expect(rows).toBe(ROWS)
    expect([...phases]).toStrictEqual(['verify'])
  })
})
