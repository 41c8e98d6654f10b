import { expect, it } from 'vitest'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { registerBrowser, signInWithDevice } from './playground.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('a second phone, where every further device needs a voucher', (stage) => {
  it('is vouched for on the first phone, with the number that the second phone shows', async () => {
    const origin = await stage.server.startTwin({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const user = await stage.server.createUser()
    const [first, second] = await Promise.all([
      stage.open({ view: 'phone', origin, context: await stage.newContext() }),
      stage.open({ view: 'phone', origin, context: await stage.newContext() }),
    ])
    await registerBrowser(first, { user })
    await signInWithDevice(first.phone)
    await registerBrowser(second, { user, deviceName: 'Second phone' })
    const line = /^Registered as “Second phone”, on probation\. Type ([0-9]{2}) on a trusted phone to vouch for it\.$/
    await expect.poll(second.phone.done).toMatch(line)
    const [, number = ''] = line.exec((await second.phone.done()) ?? '') ?? []
    await keepScreenshots(second.page, 'second-phone-on-probation')

    const waiting = first.phone.region.getByRole('list', { name: 'Waiting for you' })
    await waiting.getByText('Trust a new device').waitFor()
    expect(await waiting.getByText('127.0.0.1').count()).toBe(1)
    await waiting.getByText('Second phone').waitFor()
    await waiting.getByRole('textbox', { name: 'Number on the other screen' }).fill(number)
    await first.phone.button('Approve').click()
    await expect.poll(first.phone.done).toBe('Approved.')

    await signInWithDevice(second.phone)
    await second.phone.region.getByText('Nothing. Requests of the web pane appear here.').waitFor()
    await expect.poll(second.phone.failed).toBe('')
  })
})
