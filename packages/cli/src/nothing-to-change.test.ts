import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import {
  createTestUser,
  registerTestDevice,
  registerTestPasskey,
  signIn,
  wireTransferDefinition,
} from '@countersign/core/testing'
import { afterAll, expect, test } from 'vitest'
import { openOlderSession } from './testing/open-older-session.ts'
import { createProjectWorkplace } from './testing/project-workplace.ts'

const here = await createProjectWorkplace()
afterAll(() => here.close())

const { server } = here
const env = { COUNTERSIGN_APPROVAL_POLICIES: 'contract_sign:contract.sign:2' }

/** A user, with a trusted device and a device and a passkey on probation. */
const user = await createTestUser(server, { email: 'grace@example.com' })
const { caller } = await signIn(server, user)
const trusted = await registerTestDevice(server, caller)
const olderSession = async () => ({ ...caller, sessionId: (await openOlderSession(server, user.id)).id })
const device = await registerTestDevice(server, await olderSession())
const { passkey } = await registerTestPasskey(server, await olderSession())
const { sessionId } = await olderSession()

const { id: serviceToken } = await server.countersign.serviceTokens.issue({ service: 'billing' })
const { uniqueCode } = await here.create('Bridge')
const write = (name: string, definition: unknown) => here.write(name, JSON.stringify(definition))
const version = ['--type', 'hardware', '--version', '1.0.0'] as const
await here.json(['schema', 'register', write('schema.json', wireTransferDefinition.schema), ...version])
await here.json(['action', 'register', write('action.json', wireTransferDefinition), ...version])
const kids: string[] = []
for (let count = 0; count < 2; count += 1) {
  for (const { kid, alg, jwk } of parseReceiptKeyRing(generateReceiptKeyRing()).keys) {
    const key = { kid, alg, jwk, activeFrom: Date.now(), retiredAt: null, revokedAt: null, revokedReason: null }
    await server.storage.receiptKeys.publish(key)
    kids.push(kid)
  }
}
const [retired = '', revoked = ''] = kids

test.each([
  ['user grant', [user.email, 'project.read'], 'The user holds project.read already'],
  ['user revoke', [user.email, 'project.read'], 'The user does not hold project.read'],
  ['user update', [user.email, '--name', 'Grace Hopper'], 'The user has these values already'],
  ['device trust', [device.device.id], 'The device is trusted already'],
  ['device revoke', [trusted.device.id], 'Device not found'],
  ['passkey trust', [passkey.id], 'The passkey is trusted already'],
  ['passkey revoke', [passkey.id], 'Passkey not found'],
  ['session revoke', [sessionId], 'The session has ended already'],
  ['user disable', [user.email], 'The user is disabled already'],
  ['user enable', [user.email], 'The user is not disabled'],
  ['user lock', [user.email], 'The account is locked already'],
  ['user unlock', [user.email], 'The account is not locked'],
  ['user delete', [user.email, '--yes'], 'User not found'],
  ['service-token revoke', [serviceToken], 'The service token is revoked already'],
  ['keys retire', [retired], 'The receipt key was already retired or revoked'],
  ['keys revoke', [revoked, '--reason', 'lost'], 'The receipt key was already retired or revoked'],
  ['schema deactivate', ['product_schema:hardware:v1.0.0'], 'The version is not active'],
  ['schema activate', ['product_schema:hardware:v1.0.0'], 'The version is active already'],
  ['action deactivate', ['action_schema:hardware:v1.0.0'], 'The version is not active'],
  ['action activate', ['action_schema:hardware:v1.0.0'], 'The version is active already'],
  ['action policy', ['contract_sign', '--permission', 'contract.sign', '--count', '3'], 'contract_sign has this policy already'],
  ['action policy', ['contract_sign', '--remove'], 'No policy of this action type is stored'],
  ['project approve', [uniqueCode], 'The project is approved already'],
  ['project delete', [uniqueCode], 'Project not found'],
] as const)('%s %j changes something once, and then fails and says why', async (command, args, why) => {
  const run = () => here.run([...command.split(' '), ...args], { env })
  expect(await run()).toMatchObject({ code: 0, stderr: '' })
  expect(await run()).toEqual({ code: 1, stdout: '', stderr: `error: ${why}\n` })
})
