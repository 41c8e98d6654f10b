import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { CountersignError } from '@countersign/client-sdk'
import { pageAt } from '../start/welcome.ts'
import { DemoFailed } from './server.ts'
import { tellStory } from './story.ts'

/** Returns the address at which `npm start` serves in this environment, unless COUNTERSIGN_HOST is set. */
const defaultUrl = (): string => `http://127.0.0.1:${process.env.COUNTERSIGN_PORT || '4000'}`

const help = (): string => `Usage: npm run demo [-- --url <url>] [-- --browser]

Goes through logging in, registering a device, and approving a payment on it, against the
server that \`npm start\` runs (${defaultUrl()}), and tells each step. With --browser, opens a web page and a phone beside
it instead, on which a person does the same.`

const readUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new DemoFailed('--url takes an http or https address')
  return text.replace(/\/+$/, '')
}

const noServer = (url: string): string => `no server answers at ${url}; start one with \`npm start\``

const hintFor = ({ status, retryAfter }: CountersignError): string => {
  if (status === 401) return ' (the demo user is made by `npm start`)'
  return retryAfter === undefined ? '' : ` (try again in ${retryAfter} s)`
}

const describeFailure = (error: Error, url: string): string => {
  if (!(error instanceof CountersignError)) return error.message
  const isSilent = error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
  return isSilent ? noServer(url) : `${error.message}${hintFor(error)}`
}

/** Opens the page with a web application and a phone in the browser of this machine. */
const openPage = async (url: string): Promise<void> => {
  const page = pageAt(url, '/playground')
  const answer = await fetch(page).catch(() => undefined)
  if (answer === undefined) throw new DemoFailed(noServer(url))
  if (!answer.ok) throw new DemoFailed(`${page} is not served: it answers ${answer.status}`)
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  // A machine without a browser has the address below.
  spawn(opener, [page], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
  console.log(`${page}
Sign in as the demo user on the web and on the phone beside it, ask for a payment, and approve it there.`)
}

const options = { url: { type: 'string' }, browser: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** Runs the guided demonstration. Resolves with the exit code. */
export const demo = async (args: readonly string[]): Promise<number> => {
  let url = defaultUrl()
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) {
      console.log(help())
      return 0
    }
    url = readUrl(values.url ?? url)
    if (values.browser) {
      await openPage(url)
      return 0
    }
    console.log(`Countersign at ${url}: from a password to a signed approval`)
    await tellStory(url)
    console.log('\nDone: everything went as it should.')
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`error: ${describeFailure(error, url)}`)
    return 1
  }
}
