import { aProject, clockStart as now } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { createNumbered, givenOwners, totalOf } from './given-owners.ts'
import { connect, open, openMigrated } from './open-migrated.ts'

/** The number of changes of projects between two folds. See `record-change.ts`. */
const FOLD_EVERY = 64

it('the counters and the waiting deltas of several processes add up to the projects', async () => {
  const { url, storage } = await openMigrated()
  const processes = [storage, await open(url), await open(url)]
  const all = [await givenOwners(storage), await givenOwners(storage)]
  const work = processes.flatMap((one, process) =>
    Array.from({ length: 8 }, async (_, caller) => {
      for (let count = 0; count < 15; count += 1) {
        const owners = all[(process + caller + count) % 2] ?? { customerId: '', creatorId: 0 }
        const code = (await createNumbered(one, owners)) ?? ''
        const change = count % 3 === 0 ? { status: 'approved' } : { name: aProject(owners).name }
        if (count % 2 === 0) await one.transaction((tx) => tx.projects.projects.change(code, change, now))
        if (count % 5 === 0) await one.transaction((tx) => tx.projects.projects.remove(code, null, now))
      }
    }),
  )
  await Promise.all(work)

  const client = await connect(url)
  const { rows: differences } = await client.query(`
    with counted as (
      select customer_id, status, progress, count from project_counts where customer_id <> ''
      union all select customer_id, status, progress, delta from project_count_deltas
    ), summed as (
      select customer_id, status, progress, sum(count)::int as count from counted group by 1, 2, 3 having sum(count) <> 0
    ), stored as (
      select customer_id, status, progress, count(*)::int from projects where removed_at is null group by 1, 2, 3
    )
    (select * from summed except select * from stored) union all (select * from stored except select * from summed)`)
  expect(differences).toStrictEqual([])
  const { rows } = await client.query<{ stored: number; waiting: number; version: number }>(`
    select (select count(*)::int from projects where removed_at is null) as stored,
      (select count(*)::int from project_count_deltas) as waiting, (select version::int from project_lists) as version`)
  expect(await totalOf(storage)).toBe(rows[0]?.stored)
  expect(rows[0]?.version).toBeGreaterThan(FOLD_EVERY)
  expect(rows[0]?.waiting).toBeLessThan(processes.length * FOLD_EVERY)
})
