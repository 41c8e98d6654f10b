#!/usr/bin/env node
import { nodeRefusal } from './require-node.ts'

/**
 * The kernel ignores signals to the first process of a container unless a handler is installed. Before `serve` installs its own
 * handlers, and in all other commands, the signal ends the process, as it ends any other process.
 */
const endFirstProcess = (signal: 'SIGTERM' | 'SIGINT', code: number): void => {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(code)
  })
}

if (process.pid === 1) {
  endFirstProcess('SIGTERM', 143)
  endFirstProcess('SIGINT', 130)
}

const refusal = nodeRefusal(process.versions.node)
if (refusal === undefined) {
  const { guardStandardStreams } = await import('./shared/standard-streams.ts')
  const { main } = await import('./main.ts')
  guardStandardStreams()
  // The process ends by itself when the command has finished.
  await main(process.argv.slice(2), process)
} else {
  process.stderr.write(`error: ${refusal}\n`)
  process.exitCode = 1
}
