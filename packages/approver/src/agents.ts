import { t } from './words.ts'

type Names = readonly (readonly [name: string, pattern: RegExp])[]

/** Browsers also name other browsers, for old pages. The first name in this list that occurs is the true one. */
const browsers: Names = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const systems: Names = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (names: Names, text: string): string | undefined => names.find(([, pattern]) => pattern.test(text))?.[0]

/** Returns the name of a program, such as "Firefox on Android"; the other text for a program that is not a known browser. */
export const nameOfAgent = (userAgent: string | null, other = userAgent ?? t('unknownAgent')): string => {
  const [browser, system] = [browsers, systems].map((names) => nameIn(names, userAgent ?? ''))
  return browser === undefined || system === undefined ? other : t('agentOn', { browser, system })
}

/** Returns the name of this browser, as a device is called at first. Names are stored without the marks of direction. */
export const ownName = (): string => nameOfAgent(navigator.userAgent).replaceAll(/[\u2068\u2069]/g, '')

/** True for a program on a phone or a tablet. */
export const isMobile = (userAgent: string | null): boolean => /\b(?:iPhone|iPad|Android)\b/.test(userAgent ?? '')
