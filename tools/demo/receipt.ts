import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@countersign/client-sdk'
import type { ReceiptKeys } from '@countersign/client-sdk/receipt'
import { repository } from '../workspace.ts'
import { tellNote, tellStep } from './print.ts'
import { DemoFailed, printAnswer } from './server.ts'

export interface Evidence {
  readonly receipt: string
  readonly keys: ReceiptKeys
}

const COMMAND = join(repository, 'packages', 'cli', 'dist', 'bin.js')

/** Gets the receipt of an approved confirmation, and the keys of the service. */
export const fetchReceipt = async (number: number, phone: Client, confirmationId: string): Promise<Evidence> => {
  tellStep(
    number,
    'Fetch the receipt',
    'The approval becomes evidence: a signed text, which anyone can verify without the service.',
  )
  const { receipt } = await printAnswer(phone.confirmations.receipt({ confirmationId }))
  return { receipt, keys: await phone.receipts.keys() }
}

/** Runs the verifier in a process that has two files, and neither a database nor the address of a server. */
const verify = ({ receipt, keys }: Evidence): { readonly status: number | null; readonly lines: readonly string[] } => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-receipt-'))
  try {
    const files = [join(directory, 'receipt.txt'), join(directory, 'receipt-keys.json')] as const
    writeFileSync(files[0], receipt)
    writeFileSync(files[1], JSON.stringify(keys))
    const args = [COMMAND, 'receipt', 'verify', files[0], '--keys', files[1]]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, env: {}, encoding: 'utf8' })
    return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const tellOutput = (lines: readonly string[]): void => {
  for (const line of lines) console.log(`       ${line}`)
}

/** Changes the first match of a text in the disclosed statement. */
const withChange = ({ receipt, keys }: Evidence, from: RegExp, to: string): Evidence => {
  const [jws = '', statement = '', ...rest] = receipt.split('~')
  const json = Buffer.from(statement, 'base64url').toString()
  return { receipt: [jws, Buffer.from(json.replace(from, to)).toString('base64url'), ...rest].join('~'), keys }
}

/** Verifies a forged receipt. @throws DemoFailed if it is not refused */
const tellForgery = (evidence: Evidence, from: RegExp, to: string): void => {
  const forged = verify(withChange(evidence, from, to))
  tellOutput(forged.lines)
  if (forged.status !== 1 || !forged.lines.some((line) => line.startsWith('REFUSED'))) {
    throw new DemoFailed('a changed receipt was not refused')
  }
}

/** Verifies the receipt, and copies with one changed byte and another requester. @throws DemoFailed for an unexpected verdict */
export const tellReceipt = (first: number, evidence: Evidence): void => {
  tellStep(
    first,
    'Verify the receipt offline',
    'Another process has the receipt and the published keys: `countersign receipt verify receipt.txt --keys receipt-keys.json`.',
  )
  const genuine = verify(evidence)
  tellOutput(genuine.lines)
  if (genuine.status !== 0) throw new DemoFailed('the receipt is not genuine')

  tellStep(first + 1, 'Change one byte of the receipt', 'A forger changes a 1 into a 9: 1250 EUR become 9250 EUR.')
  tellForgery(evidence, /\\"amount\\":1/, '\\"amount\\":9')

  tellStep(first + 2, 'Change who asked', 'A forger wants it to look as if Eve had asked for the payment.')
  tellForgery(evidence, /(\\"requester\\":\{[^}]*\\"name\\":\\")[^"]*\\"/, '$1Eve\\"')
  tellNote('The receipt is evidence, of the action and of who asked. Nobody needs the service to see the change.')
}
