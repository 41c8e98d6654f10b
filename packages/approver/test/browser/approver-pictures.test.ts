import type { Input } from '@countersign/contract'
import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium } from '../../../../tools/testing/browser/find-chromium.ts'
import { launchChromium } from '../../../../tools/testing/browser/launch-chromium.ts'
import { complainOfPicture, styleOfPictures } from '../../../../tools/testing/browser/pictures.ts'
import { widths } from '../../../../tools/testing/browser/screenshots.ts'
import { button, confirm, enrol, expectAccessible, openApprover, openRequest, refuse, signIn } from './approver-page.ts'
import { type ServedApprover, serveApprover } from './serve-approver.ts'

// Another Chromium draws other pixels, so the pictures need the one from npm, and the clock of the server, which does not move.
const found = await findChromium({ given: 'npm' })
const isRequired = Boolean(process.env.CI) && process.platform === 'linux' && process.arch === 'x64'

/** A phone of which nothing depends on the machine. */
const machine: BrowserContextOptions = {
  bypassCSP: true,
  serviceWorkers: 'block',
  timezoneId: 'UTC',
  locale: 'en-GB',
  userAgent: 'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36',
}

type Asked = Input<'confirmations.initiate'>

const payment: Asked = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH' },
}
const many: readonly Asked[] = [
  {
    actionType: 'document_approval',
    actionPayload: { documentId: 'doc-7', documentName: 'Lease of the office, second amendment' },
  },
  {
    actionType: 'payment_approval',
    actionPayload: { amount: 1234567.89, currency: 'CHF', recipient: 'Donaudampfschifffahrtsgesellschaft mbH' },
  },
  payment,
]

/** Makes the page ask at once, as after a time without a connection. */
const hurry = (page: Page): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event('online')))

/** Waits until the page shows the time that is left, which it counts each second in the last ten minutes. */
const untilCounted = async (page: Page): Promise<void> => {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('time')].every(({ dateTime, textContent }) => {
      const left = Date.parse(dateTime) - Date.now()
      return left >= 600_000 || textContent.includes(new Date(left).toISOString().slice(14, 19))
    }),
  )
}

/** The narrowest phone, and a phone that lies on its side. */
const small = [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
] as const

/** The screens that are also compared on a phone that lies on its side. */
const onSide: readonly string[] = ['many', 'request', 'refuse', 'approved', 'account']

/** Lists the faults of a screen on a small phone, for a person who wants less motion. */
const findCrowding = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    scrollTo(0, 0)
    const { scrollWidth, clientWidth } = document.documentElement
    const answers = [...document.querySelectorAll<HTMLElement>('.answers > button, nav > a')]
    return [
      ...(scrollWidth > clientWidth ? ['the page scrolls sideways'] : []),
      ...answers
        .filter((one) => {
          const { top, bottom } = one.getBoundingClientRect()
          return one.checkVisibility() && (top < 0 || bottom > innerHeight)
        })
        .map((one) => `not in view: ${one.textContent}`),
      ...document.getAnimations().map(() => 'something moves'),
    ]
  })

const folder = 'packages/approver/test/browser/approver-pictures'

const expectPictures = async (page: Page, name: string): Promise<void> => {
  const complaints: (string | undefined)[] = []
  await page.evaluate(() => document.fonts.ready)
  await untilCounted(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      complaints.push(complainOfPicture(`${folder}/${name}-${width}-${colorScheme}.png`, await page.screenshot()))
    }
  }
  for (const size of small) {
    await page.setViewportSize(size)
    complaints.push(...(await findCrowding(page)).map((what) => `${name} at ${size.width} × ${size.height}: ${what}`))
    if (size.width === 844 && onSide.includes(name))
      complaints.push(complainOfPicture(`${folder}/${name}-844-dark.png`, await page.screenshot()))
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(complaints.filter((complaint) => complaint !== undefined)).toEqual([])
}

describe('the pictures of the page at /approve/', () => {
  let browser: Browser
  let server: ServedApprover
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    if ('missing' in found) return
    ;[browser, server] = await Promise.all([launchChromium(found, { args: ['--font-render-hinting=none'] }), serveApprover()])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach((context) => {
    if ('missing' in found && !isRequired) context.skip(found.missing)
    server.test.clock.set(Date.UTC(2026, 0, 5, 9))
    return async () => {
      await Promise.all(contexts.splice(0).map((one) => one.close()))
    }
  })

  const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...machine, ...options })
    contexts.push(context)
    await context.clock.setFixedTime(server.test.clock.now())
    await context.route('**/style.css*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()}\n${styleOfPictures()}` })
    })
    return context
  }
  const open = async (origin = server.origin, options?: BrowserContextOptions): Promise<Page> =>
    openApprover({ server: { origin } as never, newContext }, await newContext(options))

  /** Opens the page on the phone of a new user, whose inbox has these requests of a web session. */
  const openPhone = async (
    name: string,
    asked: readonly Asked[] = [],
    options?: BrowserContextOptions,
    permissions: readonly string[] = [],
  ) => {
    const { email } = await createTestUser(server.test, { email: `${name}@example.com`, name: 'Ada Example', permissions })
    const user = { email, password: testPassword }
    const page = await open(server.origin, options)
    await enrol(page, user)
    await page.getByText('Nothing waits for you').waitFor()
    // Later, so that the page lists its own session second.
    await move(page, 1000)
    const { accessToken: token } = await server.test.countersign.auth.login(user)
    const headers = {
      'countersign-extended': '1',
      'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15',
    }
    const ask = async (all: readonly Asked[]) => {
      const numbers: (string | undefined)[] = []
      const cards = page.getByRole('main').getByRole('listitem')
      const before = await cards.count()
      for (const [index, one] of all.entries()) {
        numbers.push((await server.test.ask('confirmations.initiate', one, { token, headers })).matchNumber)
        await move(page, 17_000)
        // The page adds later requests at the end.
        await cards.nth(before + index).waitFor()
      }
      return numbers
    }
    const numbers = asked.length === 0 ? [] : await ask(asked)
    return { page, user, ask, numbers }
  }

  /** Moves the clocks of the server and of the page, in milliseconds. */
  const move = async (page: Page, time: number): Promise<void> => {
    server.test.clock.advance(time)
    await page.clock.setFixedTime(server.test.clock.now())
    await hurry(page)
  }

  it('show the sign-in and the enrolment', async () => {
    const { email } = await createTestUser(server.test, { email: 'new@example.com' })
    const page = await open()
    await expectPictures(page, 'sign-in')
    await signIn(page, { email, password: testPassword })
    await expectPictures(page, 'enrol')
  })

  it('show an inbox that is empty, has one request, has many, and has no connection', async () => {
    const { page, ask } = await openPhone('inbox')
    await expectPictures(page, 'empty')
    await ask([payment])
    await expectPictures(page, 'one')
    const { page: other } = await openPhone('many', many)
    await expectPictures(other, 'many')
    await other.context().setOffline(true)
    await hurry(other)
    await other.getByText('No connection').waitFor()
    await expectPictures(other, 'offline')
    await expectAccessible(other)
  })

  it('show a request, its approval, its receipt, the history and the account', async () => {
    const { page, ask } = await openPhone('ada', [payment])
    await openRequest(page)
    await expectPictures(page, 'request')
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    await expectPictures(page, 'approved')
    await page.getByRole('link', { name: 'See the receipt' }).click()
    await page.getByText('Genuine', { exact: true }).waitFor()
    await expectPictures(page, 'receipt')
    expect(await page.getByRole('main').textContent()).not.toMatch(/[\da-f]{8}-[\da-f]{4}/)
    await page.getByRole('link', { name: 'Inbox' }).click()
    await ask([payment])
    await openRequest(page)
    await refuse(page, 'Reject')
    await page.getByRole('heading', { name: 'Rejected' }).waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('main').getByRole('listitem').getByText('Approved').waitFor()
    await expectPictures(page, 'history')
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('this session', { exact: true }).waitFor()
    await expectPictures(page, 'account')
  })

  it('show a request that expired, and one that another phone approved', async () => {
    const { page, user, ask } = await openPhone('ended', [payment])
    await openRequest(page)
    await move(page, 301_000)
    await page.getByRole('heading', { name: 'Expired' }).waitFor()
    await expectPictures(page, 'expired')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'To the inbox' }).click()
    const other = await open()
    await enrol(other, user)
    await ask([payment])
    for (const one of [page, other]) {
      await hurry(one)
      await openRequest(one)
    }
    await button(other, 'Approve').click()
    await other.getByRole('heading', { name: 'Approved' }).waitFor()
    await hurry(page)
    await page.getByRole('heading', { name: 'Approved elsewhere' }).waitFor()
    await expectPictures(page, 'approved-elsewhere')
    await expectAccessible(page)
  })

  it('show an answer that the service refuses', async () => {
    const { page, numbers } = await openPhone('refused', [{ ...payment, numberMatching: true }])
    await openRequest(page)
    await page.getByLabel('Number on the screen that asks').fill(numbers[0] === '42' ? '43' : '42')
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('That is not the number').waitFor()
    await page.getByLabel('Number on the screen that asks').fill('42')
    await expectPictures(page, 'refused')
  })

  /** Waits until a page says this of the approvals of several people. */
  const votes = (page: Page, text: string) =>
    expect
      .poll(async () =>
        String(await page.getByRole('region', { name: 'Who has approved' }).textContent()).replace(/[\u2068\u2069]/g, ''),
      )
      .toContain(text)
  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor()
  /** The name of a person in a text has marks around it that keep its direction. */
  const isolated = (name: string) => `\u2068${name}\u2069`

  interface AskedOfSeveral {
    readonly type: 'document_approval' | 'purchase_order'
    readonly payload: object
    readonly groups: readonly { readonly permission: `${string}.${string}`; readonly count: number; readonly label?: object }[]
    readonly voters: readonly (readonly [name: string, permission: string])[]
  }

  /** Phones of approvers, and a request to them by a person with a phone. */
  const askSeveral = async ({ type, payload, groups, voters }: AskedOfSeveral) => {
    await server.test.countersign.actionPolicies.set({ actionType: type, bands: [{ groups }] } as never)
    const pages: Page[] = []
    for (const [name, permission] of voters) {
      const { page } = await openPhone(name, [], undefined, [permission])
      const user = await server.test.storage.users.byEmail(`${name}@example.com`)
      await server.test.countersign.users.update({ email: user?.email ?? '', name: `${name[0]?.toUpperCase()}${name.slice(1)}` })
      pages.push(page)
    }
    const { page: asker, user } = await openPhone(`asker-of-${voters[0]?.[0]}`)
    const { accessToken: token } = await server.test.countersign.auth.login(user)
    const asked = { actionType: type, actionPayload: payload } as never
    const { approvalId } = await server.test.ask('approvals.start', asked, { token })
    for (const page of pages) {
      await hurry(page)
      await openRequest(page)
    }
    await asker.goto(`${server.origin}/approve/#/request/${approvalId}`)
    return { pages, asker, approvalId }
  }

  it('show the votes for a request to two groups, what is missing by their names, and its end by a person who did not expect it', async () => {
    const { pages, asker } = await askSeveral({
      type: 'document_approval',
      payload: { documentId: 'doc-7', documentName: 'Lease of the office' },
      groups: [
        { permission: 'lease.approve', count: 2, label: { en: 'Management', de: 'der Leitung' } },
        { permission: 'lease.release', count: 1, label: { en: 'Legal', de: 'der Rechtsabteilung' } },
      ],
      voters: [
        ['noor', 'lease.approve'],
        ['omar', 'lease.approve'],
        ['pia', 'lease.release'],
      ],
    })
    const [first, second, third] = pages as [Page, Page, Page]
    await votes(first, 'Approvals: 0 of 3. Still missing: 2 of Management, 1 of Legal.')
    await button(first, 'Approve').click()
    await heading(first, `You approved. ${isolated('2 more are needed.')}`)
    await votes(first, 'Approvals: 1 of 3. Still missing: 1 of Management, 1 of Legal.')
    await expectPictures(first, 'voted')
    await expectAccessible(first)
    await votes(second, 'Noor')
    await expectPictures(second, 'votes')
    await expectAccessible(second)
    await second.evaluate(() => localStorage.setItem('countersign-approver.language', '"de"'))
    await second.reload()
    await second
      .getByText('Es fehlen noch: \u20681 von \u2068der Leitung\u2069, 1 von \u2068der Rechtsabteilung\u2069\u2069.')
      .waitFor()
    for (const page of [first, second, asker]) expect(await page.locator('body').textContent()).not.toContain('lease.')
    // The history says what this person did, and leads to how the request stands.
    await first.getByRole('link', { name: 'History' }).click()
    await first.getByText('You approved').waitFor()
    await refuse(third, 'I do not expect this', 'Nobody told us')
    await heading(third, 'You rejected this')
    await first.getByRole('main').getByRole('listitem').getByRole('link').click()
    for (const page of [first, asker]) await heading(page, `Rejected by ${isolated('Pia')}`)
    await asker.getByText('The reason: \u2068Nobody told us\u2069').waitFor()
    await expectPictures(asker, 'own-request-rejected')
    await expectAccessible(asker)
    await first.getByRole('link', { name: 'History' }).click()
    await first.getByRole('heading', { name: 'History' }).waitFor()
    expect(await first.getByText('Approved', { exact: true }).count()).toBe(0)
  })

  it('show a request that has all its approvals, which an approver can only stop, and to the asker until then what is missing', async () => {
    const { pages, asker, approvalId } = await askSeveral({
      type: 'purchase_order',
      payload: { amount: 10, supplier: 'ACME GmbH', items: ['Paper'] },
      groups: [{ permission: 'order.approve', count: 2 }],
      voters: [
        ['quinn', 'order.approve'],
        ['rosa', 'order.approve'],
        ['sami', 'order.approve'],
      ],
    })
    const [first, second, third] = pages as [Page, Page, Page]
    await heading(asker, 'Waiting for approvals')
    await asker.getByText('2 more are needed.').waitFor()
    await asker.getByText('ACME GmbH').waitFor()
    await expectPictures(asker, 'own-request')
    await button(first, 'Approve').click()
    await heading(first, `You approved. ${isolated('One more is needed.')}`)
    await asker.getByText('One more is needed.').waitFor()
    await move(second, 1000)
    // The third person rejects in the moment in which the second one has approved.
    const enough = `Approved by ${isolated('Quinn and Rosa')}, not used yet`
    await button(third, 'Reject').click()
    // The news would close the sheet, so it comes after the press.
    const pressed = Promise.withResolvers<void>()
    await third.route(/approvals\/|pending$/, async (route) => {
      await pressed.promise
      await route.continue()
    })
    await button(second, 'Approve').click()
    await heading(second, enough)
    await confirm(third, 'Reject')
    pressed.resolve()
    await third.getByRole('alert').getByText('The request has all its approvals by now').waitFor()
    for (const page of [first, second, third, asker]) await heading(page, enough)
    for (const page of [first, second, third, asker]) {
      expect(await button(page, 'Approve').count()).toBe(0)
      expect(await button(page, 'Reject').count()).toBe(0)
    }
    expect(await button(asker, 'Stop this').count()).toBe(0)
    await third.getByRole('link', { name: 'To the inbox' }).click()
    await third.getByText('Nothing waits for you').waitFor()
    await third.goto(`${server.origin}/approve/#/request/${approvalId}`)
    await heading(third, enough)
    await expectPictures(third, 'enough')
    await expectAccessible(third)
    await button(third, 'Stop this').click()
    await third.getByLabel('Why?').fill('The supplier is unknown')
    await expectPictures(third, 'stop')
    await confirm(third, 'Stop for good')
    await heading(third, 'You rejected this')
    for (const page of [first, second, asker]) {
      await heading(page, `Rejected by ${isolated('Sami')}`)
      await page.getByText('The supplier is unknown').waitFor()
    }
  })

  it('show the reason that a person types when the answers of others arrive meanwhile', async () => {
    const { pages, asker } = await askSeveral({
      type: 'purchase_order',
      payload: { amount: 10, supplier: 'ACME GmbH', items: ['Paper'] },
      groups: [{ permission: 'reason.approve', count: 2 }],
      voters: [
        ['uma', 'reason.approve'],
        ['vera', 'reason.approve'],
        ['wim', 'reason.approve'],
        ['xenia', 'reason.approve'],
      ],
    })
    const [first, second, third, fourth] = pages as [Page, Page, Page, Page]
    const sheet = (page: Page) => page.getByRole('dialog')
    for (const page of [third, fourth]) {
      await button(page, 'Reject').click()
      await page.getByLabel('Reason (optional)').pressSequentially('The supplier')
    }
    await button(first, 'Approve').click()
    await votes(third, 'Uma')
    // A vote of somebody else closes no sheet, and a reason grows on.
    await third.keyboard.type(' is unknown')
    expect(await third.getByLabel('Reason (optional)').inputValue()).toBe('The supplier is unknown')
    await button(first, 'Stop this').click()
    await first.getByLabel('Why?').pressSequentially('Too')
    await move(second, 1000)
    await button(second, 'Approve').click()
    const enough = `Approved by ${isolated('Uma and Vera')}, not used yet`
    await first.getByText(enough).waitFor()
    await first.keyboard.type(' early')
    expect(await first.getByLabel('Why?').inputValue()).toBe('Too early')
    // A request that has enough has no ordinary rejection: the page says so, and the reason is in the sheet that stops it.
    await heading(third, enough)
    expect(await sheet(third).isVisible()).toBe(false)
    await third.getByText(`Your reason was not sent: ${isolated('The supplier is unknown')}`).waitFor()
    await expectPictures(third, 'reason-kept')
    await expectAccessible(third)
    await button(third, 'Stop this').click()
    expect(await third.getByLabel('Why?').inputValue()).toBe('The supplier is unknown')
    await confirm(third, 'Stop for good')
    await heading(third, 'You rejected this')
    expect(await third.getByText('Your reason was not sent').count()).toBe(0)
    for (const page of [first, asker, fourth]) await heading(page, `Rejected by ${isolated('Wim')}`)
    expect(await sheet(first).isVisible()).toBe(false)
    await first.getByText(`Your reason was not sent: ${isolated('Too early')}`).waitFor()
    await fourth.getByText(`Your reason was not sent: ${isolated('The supplier')}`).waitFor()
    expect(await asker.getByText('Your reason was not sent').count()).toBe(0)
  })

  it('show a request to several people until its withdrawal by the person who asked', async () => {
    const { pages, asker } = await askSeveral({
      type: 'purchase_order',
      payload: { amount: 10, supplier: 'ACME GmbH', items: ['Paper'] },
      groups: [{ permission: 'paper.approve', count: 1 }],
      voters: [['tara', 'paper.approve']],
    })
    await button(asker, 'Withdraw my own request').click()
    await heading(asker, 'Withdrawn')
    expect(await button(asker, 'Withdraw my own request').count()).toBe(0)
    await heading(pages[0] as Page, 'Withdrawn')
    await asker.goto(`${server.origin}/approve/#/request/appr_none`)
    await heading(asker, 'This request is not here any more')
  })

  it('show the ways to refuse, a report with the next steps, and a text that is unfolded before the approval', async () => {
    const text = Array.from({ length: 80 }, (_, index) => `This is sentence ${index + 1}.`).join(' ')
    const { page } = await openPhone('refusing', [payment])
    await openRequest(page)
    await button(page, 'Reject').click()
    await expectPictures(page, 'refuse')
    await expectAccessible(page)
    await confirm(page, 'I did not ask for this')
    await page.getByText('The session that asked has ended').waitFor()
    await expectPictures(page, 'reported')
    await expectAccessible(page)
    const long = { ...payment, actionPayload: { amount: 1, currency: 'EUR', recipient: 'ACME GmbH', description: text } }
    const { page: reader } = await openPhone('reader', [long])
    await openRequest(reader)
    await expectPictures(reader, 'folded')
    await button(reader, 'Approve').click({ force: true })
    await reader.getByRole('alert').getByText('Show the whole text first').waitFor()
    await button(reader, `Show all (${isolated(text.length.toLocaleString('en'))} characters)`).click()
    await expectAccessible(reader)
    await button(reader, 'Approve').click()
    await heading(reader, 'Approved')
  })

  it('show cards of one height, and add a new request below those that are there', async () => {
    const { page, ask } = await openPhone('heights', many)
    const cards = page.getByRole('main').getByRole('listitem')
    const heights = async () => (await cards.all()).map(async (card) => (await card.boundingBox())?.height)
    expect(new Set(await Promise.all(await heights())).size).toBe(1)
    const before = await cards.allTextContents()
    await ask([payment])
    await expect.poll(() => cards.count()).toBe(4)
    expect((await cards.allTextContents()).slice(0, 3).map((one) => one.slice(0, 20))).toEqual(
      before.map((one) => one.slice(0, 20)),
    )
  })

  it('show a phone on probation, the request to vouch for it, and how that request ended', async () => {
    const { page: trusted, user } = await openPhone('probation')
    const { storage, clock, jwtKeys, encryptionKeys } = server.test
    const twin = await serveApprover({ storage, clock, jwtKeys, encryptionKeys, options: { enrolment: 'vouched' } })
    const page = await open(twin.origin)
    await enrol(page, user)
    await page.getByRole('heading', { name: 'This phone is not trusted yet' }).waitFor()
    const number = page.locator('.number')
    const wrong = (await number.textContent()) === '41' ? '43' : '41'
    await number.evaluate((shown) => {
      shown.textContent = '42'
    })
    await expectPictures(page, 'probation')
    await expectAccessible(page)
    await hurry(trusted)
    await openRequest(trusted)
    // The address of this machine is another one on each machine.
    await trusted
      .locator('.question > p')
      .first()
      .evaluate((line) => {
        line.textContent = line.textContent.replace(/from .*/, 'from 203.0.113.7')
      })
    await expectPictures(trusted, 'vouching')
    for (const _ of [1, 2]) {
      await trusted.getByLabel('Number on the screen that asks').fill(wrong)
      await button(trusted, 'Approve').click()
      await trusted.getByRole('alert').getByText('That is not the number').waitFor()
    }
    await hurry(page)
    await page.getByText('The request was refused').waitFor()
    await expectPictures(page, 'probation-refused')
    await expectAccessible(page)
    await button(page, 'Ask my other phone').click()
    await number.waitFor()
    await move(page, 301_000)
    await page.getByText('The number has expired').waitFor()
    await expectPictures(page, 'probation-expired')
    await twin.close()
  })

  it('show the offers of notifications and of the home screen', async () => {
    const { page } = await openPhone('offers')
    await page.context().route('**/approve/settings.json', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), vapidPublicKey: 'BPub' } })
    })
    await page.reload()
    await page.getByText('Never miss a request').waitFor()
    await page.evaluate(() => dispatchEvent(new Event('beforeinstallprompt')))
    await button(page, 'Add to the home screen').waitFor()
    await expectPictures(page, 'offers')
  })

  it('show a phone that was removed, a locked account, and a disabled one', async () => {
    const { page: removed, user } = await openPhone('locked')
    const page = await open()
    await enrol(page, user)
    await page.getByText('Nothing waits for you').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await confirm(page, 'Remove')
    await removed.getByRole('heading', { name: 'This phone was removed' }).waitFor()
    await expectPictures(removed, 'removed')
    await server.test.countersign.users.lock({ email: user.email })
    await page.getByRole('heading', { name: 'Your account is locked' }).waitFor()
    await expectPictures(page, 'locked')
    const { page: disabled, user: former } = await openPhone('disabled')
    await server.test.countersign.users.disable({ email: former.email })
    await disabled.getByRole('heading', { name: 'Your account is disabled' }).waitFor()
    await expectPictures(disabled, 'disabled')
  })

  it('are those of the README', async () => {
    const { page, ask } = await openPhone('ada.example', [], { deviceScaleFactor: 2, viewport: { width: 390, height: 760 } })
    await ask(many)
    await untilCounted(page)
    await page.setViewportSize({ width: 390, height: 760 })
    const inbox = await page.screenshot()
    await openRequest(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const request = await page.screenshot()
    await page.emulateMedia({ colorScheme: 'light' })
    await button(page, 'Approve').click()
    await page.getByRole('link', { name: 'See the receipt' }).click()
    await page.getByText('Genuine', { exact: true }).waitFor()
    const receipt = await page.screenshot()
    const sheet = await page.context().newPage()
    await sheet.setViewportSize({ width: 960, height: 586 })
    const pictures = [inbox, request, receipt].map((one) => `<img src="data:image/png;base64,${one.toString('base64')}">`)
    await sheet.setContent(`<style>
      body { display: flex; gap: 30px; margin: 0 }
      img { box-sizing: border-box; width: 300px; border: 1px solid #8b949e; border-radius: 20px }
      </style>${pictures.join('')}`)
    expect(complainOfPicture('docs/approver.png', await sheet.screenshot({ omitBackground: true }))).toBeUndefined()
  })

  it('show a request in Arabic', async () => {
    const { page } = await openPhone('arabic', [payment])
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('Language').selectOption('ar')
    await page.getByRole('link', { name: 'الوارد' }).click()
    await page.getByRole('main').getByRole('listitem').getByRole('link').click()
    await button(page, 'موافقة').waitFor()
    await expectPictures(page, 'arabic')
  })
})
