// The health check of the image: ends with 0 if the server of this container answers, otherwise with 1.
import { env, exit, stderr } from 'node:process'

const url = `http://127.0.0.1:${env.COUNTERSIGN_PORT || 4000}/health/live`

const check = async () => {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) })
  if (status !== 200) throw new Error(`the status is ${status}`)
}

try {
  await check()
} catch (error) {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
  stderr.write(`${url}: ${String(reason)}\n`)
  exit(1)
}
