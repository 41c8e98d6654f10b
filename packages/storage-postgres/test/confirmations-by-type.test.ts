import { aConfirmation, aNewUser } from '@countersign/core/testing'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { connect, openMigrated } from './open-migrated.ts'

it('a list of an action type without confirmations reads no confirmation', async () => {
  const { url, storage } = await openMigrated()
  const [user] = await storage.users.create([aNewUser()])
  const confirmation = aConfirmation({ userId: user?.id ?? 0 })
  await storage.confirmations.initiate(confirmation, 10)
  const client = await connect(url)
  await client.query(`insert into confirmations select made.* from confirmations, generate_series(1, 20000) number,
    jsonb_populate_record(confirmations, jsonb_build_object('id', 'confirmation-' || number)) made`)
  await client.query('analyze confirmations')
  const query = vi.spyOn(pg.Client.prototype, 'query')
  expect(await storage.confirmations.page({ actionType: 'absent', limit: 50, now: confirmation.createdAt })).toStrictEqual([])
  const asked = query.mock.calls
    .map(([config]) => config as unknown as pg.QueryConfig)
    .find(({ text }) => text.includes('action_type'))
  query.mockRestore()
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${asked?.text}`, asked?.values)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('confirmations_by_type')
  expect(plan).not.toContain('Rows Removed by Filter')
})
