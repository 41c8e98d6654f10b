import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, enrol, openApprover, openRequest } from './approver-page.ts'

describeOnStage('a phone at /approve/ whose clock is wrong', (stage) => {
  it.each([
    ['ahead', 3],
    ['behind', -3],
  ])(
    'the page shows the time that is left by the clock of the service, and approves, on a phone that is hours %s',
    async (_, hours) => {
      const user = await stage.server.createUser()
      const context = await stage.newContext()
      await context.clock.install({ time: Date.now() + hours * 3_600_000 })
      const page = await openApprover(stage, context)
      await enrol(page, user)
      await page.getByText('Nothing waits for you').waitFor()
      await stage.server.ask(user.id, {
        actionType: 'payment_approval',
        actionPayload: { amount: '1', currency: 'EUR', recipient: 'Ada' },
      })
      await page.getByText('1 request waits for you').waitFor()
      await page.getByText(/^\u206804:\d\d\u2069 left$/).waitFor()
      await openRequest(page)
      expect(await page.getByText('The time is over').count()).toBe(0)
      await button(page, 'Approve').click()
      await page.getByRole('heading', { name: 'Approved' }).waitFor()
    },
  )
})
