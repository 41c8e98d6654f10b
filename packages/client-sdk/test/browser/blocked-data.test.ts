import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

describeInBrowser('a page that may not store data', () => {
  let pages: ClientPages
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off' })
  })
  afterAll(() => pages?.close())

  it('keeps tokens in memory, says so, renews without a lock, and shows no error of the browser', async () => {
    const page = await pages.openTab()
    // A sandboxed frame has no origin, so the browser refuses databases, locks and the like, although they exist.
    const seen = await page.evaluate(async () => {
      const code = await (await fetch('/sdk.js')).text()
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-scripts')
      frame.srcdoc = `<script type="module">
        const sdk = await import(URL.createObjectURL(new Blob([${JSON.stringify(code).replaceAll('<', '\\u003c')}], { type: 'text/javascript' })))
        const seen = []
        const token = btoa(JSON.stringify({ iat: 1 }))
        const at = (seconds) => new Date(seconds * 1000).toISOString()
        let pairs = 0
        const pair = () => ({ accessToken: 'x.' + token + '.' + ++pairs, refreshToken: 'r' + pairs,
          accessTokenExpiresAt: at(1), refreshTokenExpiresAt: at(1e10) })
        const fetch = async (request) => {
          seen.push(new URL(request.url).pathname.split('/').pop() + ' ' + request.headers.get('authorization')?.split('.').pop())
          return Response.json({ data: /login|refresh/.test(request.url) ? pair() : { devices: [] } })
        }
        const client = sdk.createClient({ baseUrl: 'http://service.test', fetch, store: sdk.browserTokenStore() })
        client.on('notKept', () => seen.push('not kept'))
        const report = (error) => parent.postMessage([...seen, error && error.code], '*')
        client.auth.login({ email: 'a@b.example', password: 'c' }).then(async () => {
          await client.devices.list()
          await sdk.webCryptoSigner()
        }).then(() => report(), report)
      </script>`
      const message = new Promise<readonly unknown[]>((resolve) =>
        addEventListener('message', ({ data }) => resolve(data), { once: true }),
      )
      document.body.append(frame)
      return message
    })
    const isEvent = (one: unknown) => one === 'not kept'
    expect(seen.filter(isEvent)).toHaveLength(1)
    expect(seen.filter((one) => !isEvent(one))).toEqual(['login undefined', 'refresh undefined', 'devices 2', 'UNSUPPORTED'])
  })
})
