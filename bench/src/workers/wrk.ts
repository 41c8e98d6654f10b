import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Round } from '../harness/round.ts'
import type { Flood, FloodRequest } from './flood.ts'

/** The script of `wrk`: it sends each request in turn and prints the result as JSON. */
const SCRIPT = `
local requests = {}
function init()
  for line in io.lines(os.getenv("REQUESTS")) do
    requests[#requests + 1] = line:gsub("\\\\r\\\\n", "\\r\\n")
  end
end
local turn = 0
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format('{"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}',
    summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end`

const toBytes = ({ method, path, headers, body = '' }: FloodRequest, host: string): string => {
  const all = { host, ...headers, ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\\r\\n`)
  return `${method} ${path} HTTP/1.1\\r\\n${lines.join('')}\\r\\n${body}`
}

interface Outcome {
  readonly requests: number
  readonly microseconds: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
}

/** Runs one round of `wrk`. It needs less processor time than autocannon, which leaves more to the server. */
export const runWrk = async (
  { url, connections, requestsFile }: Flood,
  requests: readonly FloodRequest[],
  seconds: number,
): Promise<Round> => {
  const script = `${requestsFile}.lua`
  const lines = `${requestsFile}.lines`
  writeFileSync(script, SCRIPT)
  writeFileSync(lines, requests.map((request) => toBytes(request, new URL(url).host)).join('\n'))
  const args = [
    '--threads',
    '1',
    '--connections',
    String(connections),
    '--timeout',
    '10s',
    '--duration',
    `${Math.max(1, Math.round(seconds))}s`,
  ]
  const { stdout } = await promisify(execFile)('wrk', [...args, '--latency', '--script', script, url], {
    env: { ...process.env, REQUESTS: lines },
  })
  const outcome = JSON.parse(stdout.slice(stdout.lastIndexOf('{"requests"'))) as Outcome
  if (outcome.failed > 0) throw new Error(`${outcome.failed} of ${outcome.requests} requests to ${url} failed`)
  return {
    operations: outcome.requests,
    seconds: outcome.microseconds / 1e6,
    latency: { p50: outcome.p50 / 1000, p99: outcome.p99 / 1000 },
  }
}
