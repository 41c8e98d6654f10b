import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { createApp, installPackages } from '../docs/testing/stage.ts'
import { repository } from '../workspace.ts'

const directory = createApp()

const compilers = {
  newest: join(repository, 'node_modules/typescript/bin/tsc'),
  older: join(repository, 'packages/core/node_modules/typescript/bin/tsc'),
}

const compile = async (compiler: keyof typeof compilers, ...files: readonly string[]): Promise<void> => {
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck']
  const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node']
  const { ok, output } = await capture(process.execPath, [compilers[compiler], ...options, ...target, ...files], directory)
  expect(ok, output).toBe(true)
}

const given = `
import { createClient } from '@countersign/client-sdk'
import { requireApproval, type ServiceClient } from '@countersign/client-sdk/verifier'
import type { Caller, CallingService, CountersignApprovals } from '@countersign/core'

declare const countersign: CountersignApprovals
declare const caller: Caller
declare const service: CallingService
declare const services: ServiceClient

const client = createClient({ baseUrl: 'https://auth.example.com' })
const actionType = 'wire_transfer'
const used = { userId: 1, confirmationId: 'conf_1', consumedBy: 'payment 1' }
const policy = { permission: 'payment.approve', count: 2 } as const
const request = { requestId: 'request', policy, consumedBy: 'payment 1' }
`

/** Every call with an action. A gate builds the payload from the members of a request. */
const calls = (action: string, beforeEach = ''): string =>
  [
    `client.confirmations.request({ ${action} })`,
    `client.confirmations.initiate({ ${action}, numberMatching: true })`,
    `client.approvalRequests.start({ ${action}, tenant: 'acme' })`,
    `services.initiate({ userId: 1, ${action} })`,
    `services.redeem({ confirmationId: 'conf_1', userId: 1, ${action} })`,
    `services.redeemApproval({ approvalId: 'request', ...policy, ${action} })`,
    `requireApproval(services, { userId: 1, ${action} })`,
    `countersign.confirmations.initiate({ caller, ${action} })`,
    `countersign.confirmations.consume({ ...used, ${action} })`,
    `countersign.approvalRequests.start({ caller, ${action} })`,
    `countersign.approvalRequests.consume({ ...request, ${action} })`,
    `countersign.services.initiate({ service, userId: 1, ${action} })`,
    `countersign.services.redeem({ service, confirmationId: 'conf_1', userId: 1, ${action} })`,
    `countersign.approvalRequests.redeem({ service, approvalId: 'request', ...policy, ${action} })`,
    `countersign.createGate({ name: 'bank.pay', ${action.replace(/actionPayload: (.*)$/, 'build: () => ({ actionPayload: $1 })')} })`,
  ]
    .map((call) => `${beforeEach}\n${call}\n`)
    .join('')

const REFUSED = '// @ts-expect-error'

const own = `${given}
${calls("actionType, actionPayload: { amount: 1, iban: 'DE02' }")}
${calls("actionType, actionPayload: { amount: '1', iban: 'DE02' }", REFUSED)}
${calls("actionType: 'wire_transfr', actionPayload: { amount: 1, iban: 'DE02' }", REFUSED)}
${calls("actionType: 'password_change', actionPayload: { userId: 1 }")}
export const read = async (): Promise<string | number | undefined> => {
  const { confirmations } = await client.confirmations.pending()
  const shown = [...confirmations, await client.confirmations.settled('conf_1'), await services.settled('conf_1')]
  for (const confirmation of shown) {
    if (confirmation.actionType === 'payment_approval') return confirmation.actionPayload.amount
    if (confirmation.actionType !== 'wire_transfer') continue
    // @ts-expect-error
    confirmation.actionPayload.swift
    const { amount }: { amount: number } = confirmation.actionPayload
    return amount
  }
  return undefined
}
`

const undeclared = `${given}
${calls("actionType, actionPayload: { amount: '1' }")}
${REFUSED}
client.confirmations.request({ actionType: 'payment_approval', actionPayload: { currency: 'EUR', recipient: 'Ada' } })
${REFUSED}
countersign.confirmations.initiate({ caller, actionType: 'payment_approval', actionPayload: { currency: 'EUR' } })
`

test('an action type that a host declares is checked in every call with an action, whichever package the declaration names', async () => {
  installPackages(directory, [])
  writeFileSync(join(directory, 'own.ts'), own)
  writeFileSync(join(directory, 'undeclared.ts'), undeclared)
  const names = ['contract', 'client-sdk', 'core']
  for (const name of names) {
    const types = 'interface ActionTypes {\n    wire_transfer: { amount: number; iban: string }\n  }'
    writeFileSync(join(directory, `${name}.ts`), `export {}\ndeclare module '@countersign/${name}' {\n  ${types}\n}\n`)
  }
  const compiled = names.map((name) => compile('newest', 'own.ts', `${name}.ts`))
  await Promise.all([...compiled, compile('older', 'own.ts', 'client-sdk.ts'), compile('newest', 'undeclared.ts')])
}, 60_000)
