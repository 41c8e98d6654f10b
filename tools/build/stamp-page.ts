import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Adds the digest of each file to its address in a page: the worker keeps a page only with the files of these digests. */
export const stampPage = (directory: string): void => {
  const page = join(directory, 'index.html')
  const digestOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex')
      .slice(0, 16)
  const stamped = readFileSync(page, 'utf8').replace(
    /(?<=(?:src|href)=")[\w-]+\.(?:js|css|json)(?=")/g,
    (file) => `${file}?${digestOf(file)}`,
  )
  writeFileSync(page, stamped)
}
