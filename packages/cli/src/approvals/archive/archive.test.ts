import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateReceiptKeyRing } from '@countersign/core'
import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCore } from '../../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../../testing/run-command.ts'

const DAY = 86_400_000
const actionPayload = validPayloads.payment_approval

let here: Workplace
beforeEach(() => {
  here = createWorkplace({ COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing() })
})
afterEach(() => here.remove())

/** Approves one confirmation and rejects another, two and a half days ago; a third one was created today. */
const given = async () => {
  const { countersign, close } = await openCore(here, { now: () => Date.now() - 2.5 * DAY })
  const { web, mobile, device, signer } = await signInNewDeviceUser({ countersign })
  const asked = { caller: web.caller, actionType: 'payment_approval', actionPayload } as const
  const [approved, rejected] = [await countersign.confirmations.initiate(asked), await countersign.confirmations.initiate(asked)]
  const approval = { confirmationId: approved.id, deviceId: device.id, signedChallenge: signer.sign(approved.challenge) }
  await countersign.confirmations.approve({ caller: mobile.caller, ...approval })
  await countersign.confirmations.reject({ caller: mobile.caller, confirmationId: rejected.id, reason: 'Not mine' })
  await close()
  const today = await openCore(here)
  const { id: recent } = await today.countersign.confirmations.initiate(asked)
  await today.close()
  return { approved: approved.id, rejected: rejected.id, recent }
}

const before = new Date(Date.now() - 2 * DAY).toISOString()
const archive = (...args: readonly string[]) => ['archive', '--before', before, '--to', join(here.directory, 'archive'), ...args]
const verify = (file: string) => ['receipt', 'verify', file, '--keys', join(here.directory, 'archive', 'receipt-keys.json')]

test('`archive` with a tenant moves only the confirmations of this tenant', async () => {
  await given()
  expect(await here.json(archive('--dry-run', '--tenant', 'acme'))).toEqual({ dryRun: true, confirmations: 0 })
  expect(await here.json(archive('--yes', '--tenant', 'acme'))).toMatchObject({ confirmations: 0, file: null })
  expect(await here.json(archive('--dry-run'))).toEqual({ dryRun: true, confirmations: 2 })
})

test('the archive moves old confirmations into a file whose receipts verify', async () => {
  const { approved, rejected, recent } = await given()
  expect(await here.json(archive('--dry-run'))).toEqual({ dryRun: true, confirmations: 2 })
  const { file, ...answer } = (await here.json(archive('--yes'))) as { readonly file: string }
  expect(answer).toEqual({ dryRun: false, confirmations: 2 })
  const log = readFileSync(join(here.directory, 'changes.log'), 'utf8')
  expect(JSON.parse(log.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ event: 'confirmations_archived' })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const records = lines.map((line) => JSON.parse(line) as { readonly id: string; readonly status: string })
  expect(records.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toMatchObject([
    { id: approved, status: 'approved', receipt: expect.any(String), approvedAt: expect.stringMatching(/^\d{4}-/) },
    { id: rejected, status: 'rejected', receipt: null, actionPayload, reason: 'Not mine' },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await here.json(verify(file))).toEqual({ genuine: 1, partial: 0, withoutReceipt: 1, cutOff: 0, refused: [] })

  for (const id of [approved, rejected]) expect(await here.run(['confirmation', 'show', id])).toMatchObject({ code: 1 })
  expect(await here.json(['confirmation', 'show', recent])).toMatchObject({ id: recent })
  expect(await here.json(archive('--yes'))).toEqual({ dryRun: false, confirmations: 0, file: null })
})

test('one changed byte in an archive is refused, and so is the receipt of another confirmation', async () => {
  const { approved } = await given()
  const { file } = (await here.json(archive('--yes'))) as { readonly file: string }
  const text = readFileSync(file, 'utf8')
  const changed = join(here.directory, 'changed.ndjson')
  const { receipt } = JSON.parse(text.split('\n').find((line) => line.includes(approved)) ?? '') as { readonly receipt: string }
  const at = text.indexOf(receipt) + receipt.indexOf('~') - 10
  writeFileSync(changed, `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`)
  expect(await here.run(verify(changed))).toMatchObject({ code: 1, stdout: expect.stringContaining(`${approved}: issuer`) })
  writeFileSync(changed, text.replaceAll(`"id":"${approved}"`, '"id":"conf_other"'))
  expect(await here.run(verify(changed))).toMatchObject({ code: 1, stdout: expect.stringContaining('conf_other: confirmation') })
  writeFileSync(changed, `${text}{"id":1}\n`)
  expect(await here.run(verify(changed))).toMatchObject({ code: 1, stderr: expect.stringContaining('line 3 of the archive') })
})

test('an archive whose last line was cut off still verifies, with a warning', async () => {
  await given()
  const { file } = (await here.json(archive('--yes'))) as { readonly file: string }
  const text = readFileSync(file, 'utf8')
  for (const length of [text.length - 2, text.indexOf('\n') + 2]) {
    writeFileSync(file, text.slice(0, length))
    const { code, stdout, stderr } = await here.run([...verify(file), '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('the last line was cut off') })
    expect(JSON.parse(stdout)).toMatchObject({ cutOff: 1, refused: [] })
  }
})

test('a receipt that does not verify stops the archive before its confirmation is deleted, and no empty file remains', async () => {
  const { approved, rejected } = await given()
  const database = new DatabaseSync(join(here.directory, 'countersign.db'))
  const { signature = '' } = database.prepare('select signature from countersign_confirmations where id = ?').get(approved) ?? {}
  const changed = String(signature).replace(/(?<=^.{20})./, (one) => (one === 'A' ? 'B' : 'A'))
  database.prepare('update countersign_confirmations set signature = ? where id = ?').run(changed, approved)
  database.close()
  const { code, stderr } = await here.run(archive('--yes'))
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`the receipt of ${approved} proves nothing (`) })
  for (const id of [approved, rejected]) expect(await here.json(['confirmation', 'show', id])).toMatchObject({ id })
  expect(readdirSync(join(here.directory, 'archive')).filter((name) => name.endsWith('.ndjson'))).toEqual([])
})

test('if the encryption key is missing, the archive names the key, deletes nothing and leaves no file', async () => {
  const { approved } = await given()
  const { stdout: otherKeys } = await here.run(['keys', 'generate', '--encryption'])
  const ran = await here.run(archive('--yes'), { env: { COUNTERSIGN_ENCRYPTION_KEYS: otherKeys.trim() } })
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/the key \S+ is not in COUNTERSIGN_ENCRYPTION_KEYS/) })
  expect(await here.json(['confirmation', 'show', approved])).toMatchObject({ id: approved })
  expect(readdirSync(join(here.directory, 'archive')).filter((name) => name.endsWith('.ndjson'))).toEqual([])
})

test('nothing is deleted if a script omits `--yes`, if the time is today, or if the directory cannot be written', async () => {
  const { approved } = await given()
  expect(await here.run(archive())).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await here.run(['archive', '--before', new Date().toISOString(), '--yes'])).toMatchObject({ code: 1 })
  expect(await here.run(['archive', '--before', 'yesterday', '--yes'])).toMatchObject({ code: 2 })
  writeFileSync(join(here.directory, 'archive'), '')
  expect(await here.run(archive('--yes'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--to must be a directory (EEXIST)'),
  })
  expect(await here.json(['confirmation', 'show', approved])).toMatchObject({ id: approved })
  expect(readdirSync(here.directory).filter((name) => name.endsWith('.ndjson'))).toEqual([])
})

test('the archive does not follow a symbolic link in its directory', async () => {
  await given()
  mkdirSync(join(here.directory, 'archive'))
  const victim = join(here.directory, 'victim')
  for (const name of ['receipt-keys.json.new', 'receipt-keys.json', 'archive.lock'])
    symlinkSync(victim, join(here.directory, 'archive', name))
  expect(await here.run(archive('--yes'))).toMatchObject({ code: 1, stderr: expect.stringContaining('delete archive.lock') })
  rmSync(join(here.directory, 'archive', 'archive.lock'))
  await here.json(archive('--yes'))
  expect(existsSync(victim)).toBe(false)
  expect(lstatSync(join(here.directory, 'archive', 'receipt-keys.json')).isSymbolicLink()).toBe(false)
})

test('two archives into one directory at the same time write one after the other, and lose no confirmation', async () => {
  const { approved, rejected } = await given()
  const outcomes = await Promise.all([here.runProcess(archive('--yes')), here.runProcess(archive('--yes'))])
  const files = readdirSync(join(here.directory, 'archive'))
  const archived = files
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => readFileSync(join(here.directory, 'archive', name), 'utf8'))
  for (const id of [approved, rejected]) expect(archived.join('')).toContain(id)
  for (const { code, stderr } of outcomes) if (code !== 0) expect(stderr).toContain('is writing an archive into this directory')
  expect(outcomes.some(({ code }) => code === 0)).toBe(true)
  expect(files.filter((name) => !name.endsWith('.ndjson'))).toEqual(['receipt-keys.json'])
})

test('an archive respects the lock of a running process, and replaces the lock of a process that has ended', async () => {
  const { approved } = await given()
  mkdirSync(join(here.directory, 'archive'))
  const lock = join(here.directory, 'archive', 'archive.lock')
  writeFileSync(lock, `${process.ppid} ${hostname()}\n`)
  expect(await here.run(archive('--yes'))).toMatchObject({ code: 1, stderr: expect.stringContaining('is writing an archive') })
  expect(await here.json(['confirmation', 'show', approved])).toMatchObject({ id: approved })
  writeFileSync(lock, `${process.pid} other.${hostname()}\n`)
  expect(await here.run(archive('--yes'))).toMatchObject({ code: 1, stderr: expect.stringContaining('is writing an archive') })
  const ended = spawnSync(process.execPath, ['--version']).pid
  writeFileSync(lock, `${ended} ${hostname()}\n`)
  expect(await here.json(archive('--yes'))).toMatchObject({ confirmations: 2 })
  expect(existsSync(lock)).toBe(false)
})
