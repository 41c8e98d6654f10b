// Runs one task of the repository, `node tools/run.mjs <task> [arguments]`, where <task> is a file or folder in this folder.
// A fresh clone is enough: the script installs missing dependencies and continues on the Node from this installation.
// Modules that this file imports must therefore load on Node 20, unlike the tasks.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installIfNeeded } from './install.mjs'
import { launch } from './launch.mjs'

const leastNode = { major: 22, minor: 18 }

const repository = fileURLToPath(new URL('..', import.meta.url))
const ownNode = join(repository, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
/** True on the platforms for which package.json installs a Node. */
const bringsNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)

const isNewEnough = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > leastNode.major || (major === leastNode.major && minor >= leastNode.minor)
}

const refuseNode = () => {
  const { major, minor } = leastNode
  console.error(
    `Countersign needs Node ${major}.${minor} or newer, and this is Node ${process.versions.node}: install a newer one.`,
  )
  process.exit(1)
}

if (!isNewEnough() && !bringsNode) refuseNode()

const installed = await installIfNeeded(repository)
if (installed !== 0) {
  console.error('The dependencies could not be installed; pnpm tells why above.')
  process.exit(installed)
}

const [task = '', ...args] = process.argv.slice(2)
const script = existsSync(new URL(`${task}/`, import.meta.url)) ? `./${task}/run.ts` : `./${task}.ts`
if (isNewEnough()) {
  const { run } = /** @type {{ run: (args: readonly string[]) => Promise<number> }} */ (await import(script))
  process.exit(await run(args))
} else if (existsSync(ownNode)) {
  process.exit(await launch(ownNode, [fileURLToPath(import.meta.url), task, ...args]))
} else {
  refuseNode()
}
