import { join, resolve } from 'node:path'
import { capture } from './capture.ts'
import { writeBillOfMaterials, writeChecksums } from './release/write-contents.ts'
import { repository } from './workspace.ts'

/** Adds the bill of materials and the checksums of all files to a folder with the built command. The image has both. */
export const run = async ([folder]: readonly string[]): Promise<number> => {
  if (folder === undefined) {
    console.error('Usage: node tools/run.mjs contents <folder>')
    return 2
  }
  const directory = resolve(folder)
  await writeBillOfMaterials(capture, repository, join(directory, 'countersign.cdx.json'))
  writeChecksums(directory)
  return 0
}
