import { parseArgs } from 'node:util'
import { CountersignError } from '@countersign/client-sdk'
import { DemoFailed } from './demo-failed.ts'
import { tellStory } from './story.ts'

/** Returns the address at which `npm start` serves in this environment, unless COUNTERSIGN_HOST is set. */
const defaultUrl = (): string => `http://127.0.0.1:${process.env.COUNTERSIGN_PORT || '4000'}`

const help = (): string => `Usage: npm run demo [-- --url <url>]

Goes through logging in, registering a device, and approving a payment on it, against the
server that \`npm start\` runs (${defaultUrl()}), and tells each step.`

const readUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new DemoFailed('--url takes an http or https address')
  return text.replace(/\/+$/, '')
}

/** Returns what a person can do about a failed step. */
const hintFor = ({ status, retryAfter }: CountersignError): string => {
  if (status === 401) return ' (the demo user is made by `npm start`)'
  return retryAfter === undefined ? '' : ` (try again in ${retryAfter} s)`
}

const describeFailure = (error: Error, url: string): string => {
  if (!(error instanceof CountersignError)) return error.message
  const isSilent = error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
  return isSilent ? `no server answers at ${url}; start one with \`npm start\`` : `${error.message}${hintFor(error)}`
}

/** Runs the guided demonstration. Resolves with the exit code. */
export const demo = async (args: readonly string[]): Promise<number> => {
  let url = defaultUrl()
  try {
    const { values } = parseArgs({ args: [...args], options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
    if (values.help) {
      console.log(help())
      return 0
    }
    url = readUrl(values.url ?? url)
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
