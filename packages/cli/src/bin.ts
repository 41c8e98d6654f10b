#!/usr/bin/env node
import { nodeRefusal } from './require-node.ts'

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
