import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfNeeded } from './build/build.ts'
import { capture } from './capture.ts'
import { pnpm } from './install.mjs'
import { publicPackages, repository } from './workspace.ts'

/** The folder of the archives, as the pages name it. */
const tarballs = join(repository, 'tarballs')

/** `npm run pack`: writes every public package as an archive that npm installs. Resolves with the exit code. */
export const run = async (): Promise<number> => {
  if (!(await buildIfNeeded())) return 1
  // Archives of an older version must not be installed together with the new ones.
  rmSync(tarballs, { recursive: true, force: true })
  mkdirSync(tarballs)
  const [command, ...args] = pnpm
  const filters = publicPackages().flatMap(({ name }) => ['--filter', name])
  const packed = await capture(command, [...args, ...filters, 'pack', '--pack-destination', tarballs], repository)
  console.log(packed.ok ? `The packages are in ${tarballs}` : packed.output)
  return packed.ok ? 0 : 1
}
