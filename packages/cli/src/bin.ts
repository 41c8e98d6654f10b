#!/usr/bin/env node
import { nodeRefusal } from './require-node.ts'

const refusal = nodeRefusal(process.versions.node)
if (refusal === undefined) {
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
} else {
  process.stderr.write(`error: ${refusal}\n`)
  process.exitCode = 1
}
