import { registerTestPasskey } from '@countersign/core/testing'
import { type Bench, copyRow, type Kind, query, scaled } from '../harness/bench.ts'
import { openCore } from '../harness/countersign.ts'
import { timesOf } from '../harness/round.ts'
import { type Figure, figures } from '../measure.ts'
import { holdDevice } from '../seeds.ts'

const RUNS = 21
/** Ten years, in milliseconds. */
const LATER = 3650 * 86_400_000

/** The kinds of copied users, each with a permission of the name of the kind; and how many there are among a million. */
const kinds = { without: 1_000_000, trusted: 100_000, cooling: 100_000, disabled: 100_000, passkey: 100_000 } as const

/** Copies the first user with their device or passkey: a million users without one, and a tenth as many of each other kind. */
const fill = async (bench: Bench, url: string): Promise<void> => {
  for (const [index, [kind, count]] of Object.entries(kinds).entries()) {
    const users = scaled(bench, count)
    // The ids are greater than the ids of all users that the core creates.
    const id = `${10_000_000 * (index + 1)} + n`
    const name = `'${kind}-' || n`
    await copyRow(url, 'users', users, {
      id,
      email: `${name} || '@bench.test'`,
      permissions: `'["${kind}.approve"]'`,
      disabled_at: kind === 'disabled' ? 'original.created_at' : 'null',
    })
    const trusted_at = kind === 'cooling' ? `original.created_at + cast(${LATER} as bigint)` : 'original.created_at'
    const device = { id: name, user_id: id, fingerprint: name, public_key: `original.public_key || ${name}`, trusted_at }
    if (kind === 'passkey') await copyRow(url, 'passkeys', users, { id: name, user_id: id, spki: `original.spki || ${name}` })
    else if (kind !== 'without') await copyRow(url, 'devices', users, device)
    // The stores keep no row of a disabled user.
    const has_signer = { without: '0', passkey: '2' }[kind] ?? '1'
    const holder = { user_id: id, permission: `'${kind}.approve'`, has_signer, asked_at: 'n' }
    if (kind !== 'disabled') await copyRow(url, 'permission_holders', users, holder)
  }
}

const cases = [
  ['100 of 100,000 holders', 'trusted.approve'],
  ['100 of 100,000 holders with a device, where passkeys approve', 'trusted.approve', true],
  ['100 of 100,000 holders with a passkey only, where passkeys approve', 'passkey.approve', true],
  ['100,000 holders with a passkey only, where passkeys do not approve', 'passkey.approve'],
  ['nobody holds the permission', 'nobody.approve'],
  ['a million holders without a trusted device', 'without.approve'],
  ['100,000 holders, all disabled', 'disabled.approve'],
] as const

const measureOn = async (bench: Bench, kind: Kind): Promise<readonly Figure[]> => {
  const { countersign, storage, database } = await openCore(bench, kind)
  bench.own(storage)
  const { userId, caller } = await holdDevice(countersign)
  await registerTestPasskey({ countersign }, caller)
  bench.tell(`filling ${kind}`)
  await fill(bench, database.url)
  if (kind === 'PostgreSQL') await query(database.url, 'vacuum analyze')
  const now = Date.now()
  const find = (permission: string, passkeys?: boolean) => () => {
    const permissions = [permission, permission.replace(/\.\w+$/, '.*'), '*.*']
    return storage.users.approvers({ permissions, requestedBy: userId, now, limit: 100, ...(passkeys && { passkeys }) })
  }
  const all: Figure[] = []
  const measure = async (what: string, runs: number, call: () => Promise<unknown>, most?: number): Promise<void> => {
    all.push({ what: `${kind}: ${what}`, unit: 'ms', values: await timesOf(runs, call), ...(most !== undefined && { most }) })
  }
  for (const [what, permission, passkeys] of cases) await measure(what, RUNS, find(permission, passkeys), 50)
  await measure('100,000 holders, all in a cooling-off period', 3, find('cooling.approve'))
  await measure('what a read of `pending` adds for a user whom no request waits for', RUNS, () =>
    storage.approvalRequests.waitingFor(userId, now, 100),
  )
  return all
}

export const approvers = figures({
  name: 'approvers',
  title: 'Approvers among a million users',
  about:
    'The search for at most 100 approvers of one group in the storage: those who hold the permission or a wildcard of it, with a trusted device, or where passkeys approve a trusted passkey. A million users have neither. 100,000 others each have a trusted device, have one in its cooling-off period, have a passkey only, or are disabled. All users of a kind hold a permission of their own. Users in a cooling-off period are passed over one by one, so many of them at once take longer; no target covers that.',
  measure: async (bench) => [...(await measureOn(bench, 'SQLite')), ...(await measureOn(bench, 'PostgreSQL'))],
})
