import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { aServiceToken, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { connect } from './open-migrated.ts'
import { openListening, settlesNow } from './open-through-proxy.ts'

const expectRefusedSoon = (readStatus: () => Promise<unknown>): Promise<void> =>
  expectWithinASecond(async () => {
    await pause(1)
    return (await readStatus()) === undefined
  })

describe('the session cache of one of two storages', () => {
  it('answers from memory while nothing changes', async () => {
    const { openSession, storage, untilRemembered } = await openListening()
    const { id, userId } = await openSession()
    await untilRemembered(id)
    expect(await storage.sessions.status(id)).toMatchObject({ userId })
  })

  it.each([
    ['the session ends', 'session'],
    ['all sessions of the user end', 'all sessions'],
    ['the user is disabled', 'user'],
  ] as const)('refuses a session soon after the other storage reports that %s', async (_, what) => {
    const { openSession, storage, other, untilRemembered } = await openListening()
    const { id, userId } = await openSession()
    await untilRemembered(id)
    if (what === 'session') await other.sessions.end(id, 'logout', now)
    else if (what === 'all sessions') await other.sessions.endAll({ userId }, 'password_changed', now)
    else await other.users.change(userId, 1, { disabledAt: now }, now)
    await expectRefusedSoon(() => storage.sessions.status(id))
  })

  it('refuses a session immediately after its own storage ended it, before any notification', async () => {
    const { openSession, storage, listener, untilRemembered } = await openListening()
    const { id } = await openSession()
    await untilRemembered(id)
    listener().holdAnswers()
    await storage.sessions.end(id, 'logout', now)
    expect(await storage.sessions.status(id)).toBeUndefined()
  })

  it('refuses a service token soon after the other storage revoked it', async () => {
    const { storage, other, openSession, untilRemembered } = await openListening()
    await untilRemembered((await openSession()).id)
    const token = aServiceToken()
    await other.serviceTokens.add(token)
    expect(await storage.serviceTokens.status(token.id)).toBeDefined()
    await other.serviceTokens.revoke(token.id, now)
    await expectRefusedSoon(() => storage.serviceTokens.status(token.id))
  })

  it('does not cache a status that was read before the session ended but arrived after the notification', async () => {
    const { openSession, storage, other, workers, untilRemembered } = await openListening()
    const [known, late] = [await openSession(), await openSession()]
    await untilRemembered(known.id)

    const held = workers()
    for (const connection of held) connection.holdAnswers()
    const lateStatus = storage.sessions.status(late.id)
    await expect.poll(() => held.map(({ kept }) => kept).join()).toContain('project.read')
    await other.sessions.end(late.id, 'logout', now)
    await other.sessions.end(known.id, 'logout', now)
    // Changes arrive in commit order, so hearing of the second end means that the first one has arrived.
    let end = storage.sessions.status(known.id)
    while (await settlesNow(end)) {
      await setImmediate()
      end = storage.sessions.status(known.id)
    }
    for (const connection of held) connection.release()

    expect(await lateStatus).toBeDefined()
    expect(await end).toBeUndefined()
    expect(await storage.sessions.status(late.id)).toBeUndefined()
  })

  it('follows committed changes in any commit order, and ignores rolled-back changes', async () => {
    const { url, openSession, storage, isRemembered, untilRemembered } = await openListening()
    const sessions = { first: await openSession(), second: await openSession(), undone: await openSession() }
    for (const { id } of Object.values(sessions)) await untilRemembered(id)

    const [one, two, three] = [await connect(url), await connect(url), await connect(url)]
    for (const [client, { id }] of [
      [one, sessions.first],
      [two, sessions.second],
      [three, sessions.undone],
    ] as const) {
      await client.query('begin')
      await client.query('update sessions set ended_at = 1 where id = $1', [id])
      await client.query(`insert into changes (kind, subject, at) values ('session', $1, 0)`, [id])
    }
    const refused = (id: string) => expect.poll(() => storage.sessions.status(id)).toBeUndefined()
    await two.query('commit')
    await refused(sessions.second.id)
    expect(await isRemembered(sessions.first.id)).toBe(true)
    await three.query('rollback')
    await one.query('commit')
    await refused(sessions.first.id)
    expect(await isRemembered(sessions.undone.id)).toBe(true)
  })

  it('is cleared when too many changes arrive for single notifications', async () => {
    const { url, openSession, storage, untilRemembered } = await openListening()
    const { id } = await openSession()
    await untilRemembered(id)
    const client = await connect(url)
    await client.query(
      `with ended as (update sessions set ended_at = 1 returning id)
       insert into changes (kind, subject, at) select 'session', coalesce(id, n::text), 0 from ended, generate_series(1, 500) n`,
    )
    await expect.poll(() => storage.sessions.status(id)).toBeUndefined()
  })

  it('is cleared by a kind of change that only a newer version knows', async () => {
    const { url, openSession, storage, untilRemembered } = await openListening()
    const { id } = await openSession()
    await untilRemembered(id)
    const client = await connect(url)
    await client.query('update sessions set ended_at = 1')
    await client.query(`insert into changes (kind, subject, at) values ('tenant', '4711', 0)`)
    await expect.poll(() => storage.sessions.status(id)).toBeUndefined()
  })
})
