import { expect, it } from 'vitest'
import { begin, type EnginePages, list, logIn, REFRESH, titleOf } from './engine-pages.ts'

const HOURS = 3_600_000

/** Runs in a sandboxed frame, which has no origin. Posts what it saw to the page around it. */
const useClient = (sdk: typeof globalThis.sdk): void => {
  const seen: unknown[] = []
  const token = btoa(JSON.stringify({ iat: 1 }))
  const at = (seconds: number) => new Date(seconds * 1000).toISOString()
  let pairs = 0
  const pair = () => {
    pairs += 1
    return {
      accessToken: `x.${token}.${pairs}`,
      refreshToken: `r${pairs}`,
      accessTokenExpiresAt: at(1),
      refreshTokenExpiresAt: at(1e10),
    }
  }
  const answer = async (request: Request) => {
    const path = new URL(request.url).pathname.split('/').pop()
    seen.push(`${path} ${request.headers.get('authorization')?.split('.').pop()}`)
    return Response.json({ data: /login|refresh/.test(request.url) ? pair() : { devices: [] } })
  }
  const client = sdk.createClient({
    baseUrl: 'http://service.test',
    fetch: answer,
    store: sdk.browserTokenStore(),
  })
  client.on('notKept', () => seen.push('not kept'))
  const report = (error?: { readonly code?: string }) => parent.postMessage([...seen, error?.code], '*')
  client.auth
    .login({ email: 'a@b.example', password: 'c' })
    .then(async () => {
      await client.devices.list()
      await sdk.webCryptoSigner()
    })
    .then(() => report(), report)
}

/** Walks through a frame that cannot store data. */
export const walkBlockedFrame = (pages: () => EnginePages): void => {
  it('a frame that cannot store data keeps tokens in memory, says so, renews without a lock, and shows no error of the browser', async () => {
    const tab = await pages().openTab()
    const seen = await tab.evaluate(async (run) => {
      const code = await (await fetch('/sdk.js')).text()
      const frame = document.createElement('iframe')
      // The browser refuses databases, locks and the like in this frame, although they exist.
      frame.sandbox.add('allow-scripts')
      frame.srcdoc = `<script type="module">
        const code = ${JSON.stringify(code).replaceAll('<', '\\u003c')}
        const sdk = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
        ;(${run})(sdk)
      </script>`
      const message = new Promise<readonly unknown[]>((resolve) =>
        addEventListener('message', ({ data }) => resolve(data), { once: true }),
      )
      document.body.append(frame)
      return message
    }, String(useClient))
    const isEvent = (one: unknown) => one === 'not kept'
    expect(seen.filter(isEvent)).toHaveLength(1)
    expect(seen.filter((one) => !isEvent(one))).toEqual(['login undefined', 'refresh undefined', 'devices 2', 'UNSUPPORTED'])
  })
}

/** Walks through a browser whose settings forbid pages to store data. */
export const walkBlockedData = (open: () => EnginePages): void => {
  it('a page keeps a session in memory, says so once, renews it, and ends it', async ({ skip }) => {
    const pages = open()
    const tab = await pages.openTab()
    // Every other Chromium gives pages the object `chrome`.
    const isShell = await tab.evaluate(() => navigator.userAgent.includes('Chrome') && !('chrome' in globalThis))
    skip(isShell, 'this Chromium is a headless shell, which reads no settings from a profile')
    const refused = await tab.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          try {
            const opening = indexedDB.open('probe')
            opening.onsuccess = () => resolve(false)
            opening.onerror = () => resolve(true)
          } catch {
            resolve(true)
          }
        }),
    )
    expect(refused).toBe(true)
    await begin(tab)
    await logIn(pages, tab)
    expect(await list(tab, 2)).toEqual(['fulfilled', 'fulfilled'])
    pages.test.clock.advance(9 * HOURS)
    expect(await list(tab, 2)).toEqual(['fulfilled', 'fulfilled'])
    expect(pages.requests.filter((line) => line === REFRESH)).toHaveLength(1)
    expect(await titleOf(tab)).toBe('not kept')
    const signer = await tab.evaluate(() =>
      sdk.webCryptoSigner().then(
        () => '',
        (error: { code: string }) => error.code,
      ),
    )
    expect(signer).toBe('UNSUPPORTED')
    await tab.evaluate(async () => void (await client.auth.logout()))
    await expect.poll(() => titleOf(tab)).toBe('not kept logout')
  })
}
