import { randomUUID } from 'node:crypto'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { openDurable } from './open-sqlite.ts'

let rotate: () => void = () => {}

/** Rotates sessions one after another, each in its own durable commit, as a server without shared commits does. */
const open = async ({ path }: { readonly path: string }): Promise<void> => {
  const database = openDurable(path)
  const sessions = database
    .prepare<[], { id: string; refresh_token_id: string }>('select id, refresh_token_id from countersign_sessions order by id')
    .all()
  const update = database.prepare(
    `update countersign_sessions set refresh_token_id = ?, previous_refresh_token_id = ?, rotated_at = ?, last_used_at = ?,
      refresh_expires_at = ? where id = ? and refresh_token_id = ? and ended_at is null and refresh_expires_at > ?`,
  )
  let turn = 0
  rotate = () => {
    const session = sessions[turn % sessions.length]
    turn += 1
    if (session === undefined) throw new Error('no session to rotate')
    const [next, now] = [randomUUID(), Date.now()]
    const { changes } = update.run(
      next,
      session.refresh_token_id,
      now,
      now,
      now + 86_400_000,
      session.id,
      session.refresh_token_id,
      now,
    )
    if (changes !== 1) throw new Error('a rotation was lost')
    session.refresh_token_id = next
  }
}

export const methods = { open, round: (seconds: number) => repeat([rotate], seconds) }

answerCalls(methods)
