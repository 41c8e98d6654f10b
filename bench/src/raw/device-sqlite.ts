import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { openDurable } from './open-sqlite.ts'

/**
 * The least work of a device login and an approval: the signature check and the durable commits, one after another. There is
 * no HTTP, no token, and no query that only reads.
 */

export interface DeviceLimit {
  readonly path: string
  readonly what: 'login' | 'confirmation'
  readonly device: HeldDevice
}

let operate: () => void = () => {}

const open = async ({ path, what, device }: DeviceLimit): Promise<void> => {
  const database = openDurable(path)
  const { userId, deviceId, deviceFingerprint } = device
  const key = { key: createPublicKey(device.publicKey), dsaEncoding: 'der' as const }
  // The phone signs. Here, one signature is checked again and again.
  const challenge = randomBytes(64).toString('base64')
  const signature = Buffer.from(challengeSigner(device)(challenge), 'base64')
  const check = (): void => {
    if (!verify('sha256', Buffer.from(challenge, 'utf8'), key, signature)) throw new Error('the signature does not fit')
  }
  const useDevice = database.prepare(
    'update countersign_devices set last_used_at = ? where id = ? and user_id = ? and removed_at is null',
  )

  const issue = database.prepare(
    'insert into countersign_challenges (id, purpose, user_id, challenge, subject, created_at, expires_at) values (?, ?, null, ?, ?, ?, ?)',
  )
  const consume = database.prepare(
    'delete from countersign_challenges where id = ? and purpose = ? and expires_at > ? returning challenge',
  )
  const openSession = database.prepare(
    `insert into countersign_sessions (id, user_id, kind, auth_method, device_id, remember_me, created_at, last_used_at, refresh_token_id,
      rotated_at, refresh_expires_at) values (?, ?, 'biometric', 'biometric', ?, 0, ?, ?, ?, ?, ?)`,
  )
  const asRead = database.prepare('select id from countersign_users where id = ? and version = 1 and disabled_at is null')
  const admit = database.transaction((now: number) => {
    if (asRead.get(userId) === undefined) throw new Error('the user has changed')
    useDevice.run(now, deviceId, userId)
    openSession.run(randomUUID(), userId, deviceId, now, now, randomUUID(), now, now + 86_400_000)
  })
  const login = (): void => {
    const [id, now] = [randomUUID(), Date.now()]
    issue.run(id, 'device_login', challenge, JSON.stringify({ deviceFingerprint }), now, now + 120_000)
    if (consume.all(id, 'device_login', now).length !== 1) throw new Error('the challenge was lost')
    check()
    admit.immediate(now)
  }

  const countPending = database.prepare(
    `select count(*) from countersign_confirmations where user_id = ? and status = 'pending' and expires_at > ?`,
  )
  const addConfirmation = database.prepare(
    `insert into countersign_confirmations (id, user_id, action_type, payload, nonce, challenge, status, wrong_signatures, created_at,
      expires_at, updated_at) values (?, ?, 'payment_approval', ?, ?, ?, 'pending', 0, ?, ?, ?)`,
  )
  const settle = database.prepare(
    `update countersign_confirmations set status = 'approved', device_id = ?, updated_at = ?
      where id = ? and user_id = ? and status = 'pending' and expires_at > ?`,
  )
  const payload = randomBytes(160).toString('base64')
  const initiate = database.transaction((id: string, now: number) => {
    countPending.get(userId, now)
    addConfirmation.run(id, userId, payload, challenge, challenge, now, now + 300_000, now)
  })
  const approve = database.transaction((id: string, now: number) => {
    useDevice.run(now, deviceId, userId)
    if (settle.run(deviceId, now, id, userId, now).changes !== 1) throw new Error('the confirmation was lost')
  })
  const confirm = (): void => {
    const [id, now] = [`conf_${randomUUID()}`, Date.now()]
    initiate.immediate(id, now)
    check()
    approve.immediate(id, now)
  }

  operate = what === 'login' ? login : confirm
}

export const methods = { open, round: (seconds: number) => repeat([operate], seconds) }

answerCalls(methods)
