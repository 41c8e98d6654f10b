import { expect, it, vi } from 'vitest'

// The texts of the page depend on its address.
vi.stubGlobal('location', new URL('http://localhost/approve/'))
const { nameOfAgent } = await import('./agents.ts')

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (Linux; Android 16; K) ${webKit} Chrome/153.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Linux; Android 16; K) ${webKit} SamsungBrowser/29.0 Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/153.0.0.0 Safari/537.36 OPR/130.0.0.0`, 'Opera on Windows'],
  ['Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 'Firefox on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 FxiOS/150.0 Mobile/15E148 Safari/604.1',
    'Firefox on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 CriOS/153.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15', 'Safari on macOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/153.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, 'an unknown program'],
])('the program %s is shown as %s', (userAgent, name) => {
  expect(nameOfAgent(userAgent).replaceAll(/[\u2068\u2069]/g, '')).toBe(name)
})
