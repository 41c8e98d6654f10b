import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateReceiptKeyRing } from '@countersign/core'
import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
beforeEach(() => {
  here = createWorkplace({ COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing() })
})
afterEach(() => here.remove())

/** Approves one of two confirmations. Returns their ids, and the keys as the service publishes them. */
const approve = async () => {
  const { countersign, close } = await openCore(here)
  const { web, mobile, device, signer } = await signInNewDeviceUser({ countersign })
  const initiate = () =>
    countersign.confirmations.initiate({
      caller: web.caller,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
    })
  const [{ id, challenge }, pending] = [await initiate(), await initiate()]
  const approval = { confirmationId: id, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  await countersign.confirmations.approve({ caller: mobile.caller, ...approval })
  await countersign.receipts.keys()
  const published = await createApp(countersign, { version: '1.0.0' }).request('/.well-known/countersign/receipt-keys')
  const keys = join(here.directory, 'keys.json')
  writeFileSync(keys, await published.text())
  await close()
  return { id, pending: pending.id, keys }
}

test('receipt export prints a receipt that `receipt verify` accepts', async () => {
  const { id, keys } = await approve()
  const { code, stdout, stderr } = await here.run(['receipt', 'export', id])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const file = join(here.directory, 'receipt.txt')
  writeFileSync(file, stdout)
  const verdict = await here.json(['receipt', 'verify', file, '--keys', keys])
  expect(verdict).toMatchObject({ verdict: 'genuine', confirmation: { id } })
  const { receipt } = (await here.json(['receipt', 'export', id])) as { readonly receipt: string }
  expect(receipt.split('~').slice(1)).toEqual(stdout.trimEnd().split('~').slice(1))
})

test('receipt export refuses a confirmation without a receipt', async () => {
  const { pending, id } = await approve()
  for (const unknown of [pending, 'conf_none', '']) {
    const refused = { code: 1, stdout: '', stderr: 'error: Receipt not found\n' }
    expect(await here.run(['receipt', 'export', unknown])).toEqual(refused)
  }
  const elsewhere = await here.run(['receipt', 'export', id, '--tenant', 'acme'])
  expect(elsewhere).toEqual({ code: 1, stdout: '', stderr: 'error: Receipt not found\n' })
  const withoutKeys = await here.run(['receipt', 'export', id], { env: { COUNTERSIGN_RECEIPT_KEYS: undefined } })
  expect(withoutKeys).toEqual({ code: 1, stdout: '', stderr: 'error: Receipts are not configured\n' })
})
