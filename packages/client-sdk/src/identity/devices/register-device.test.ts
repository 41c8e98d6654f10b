import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../../testing/test-client.ts'
import { createTestSigner } from '../../testing/test-signer.ts'

const phone = { deviceName: "Ada's phone", deviceType: 'mobile' } as const

describe('registering a device', () => {
  it('resolves with a trusted device in a fresh session', async () => {
    const here = await createTestClient()
    await logInNewUser(here)
    const registered = await here.client.devices.register({ ...phone, signer: createTestSigner() })
    expect(registered.trusted).toBe(true)
    expect(registered).not.toHaveProperty('vouching')
  })

  it('resolves with a vouching in an older session, which settles when a trusted device approves', async () => {
    const here = await createTestClient()
    await logInNewUser(here)
    const { test, client, another } = here
    const signer = createTestSigner()
    await client.devices.register({ ...phone, signer })
    test.clock.advance(11 * 60_000)
    const registered = await client.devices.register({ ...phone, signer: createTestSigner() })
    const { vouching } = registered
    expect([registered.trusted, vouching?.matchNumber]).toEqual([false, expect.stringMatching(/^\d\d$/)])

    const device = another()
    await device.mobile.login({ signer })
    const { confirmations } = await device.confirmations.pending()
    const [waiting] = confirmations
    if (waiting === undefined || vouching === undefined) throw new Error('a vouching waits')
    await device.confirmations.approve(waiting, signer, { matchNumber: vouching.matchNumber ?? '' })
    expect(await vouching.settled()).toMatchObject({ confirmationId: vouching.confirmationId, status: 'approved' })
    const { devices } = await client.devices.list()
    expect(devices.map(({ trusted }) => trusted)).toEqual([true, true])
  })

  it('accepts an enrolment code', async () => {
    const here = await createTestClient()
    const { user } = await logInNewUser(here)
    here.test.clock.advance(11 * 60_000)
    const { code } = await here.test.countersign.users.enrol({ email: user.email })
    const registered = await here.client.devices.register({ ...phone, signer: createTestSigner(), enrolmentCode: code })
    expect(registered.trusted).toBe(true)
  })
})
