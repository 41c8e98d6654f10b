import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'

/** Publishes each packed file with npm. A dry run has npm check the file and print what it holds. */
export const publish = async (tarballs: string, { isDryRun }: { readonly isDryRun: boolean }): Promise<Outcome> => {
  const output: string[] = []
  for (const file of readdirSync(tarballs)) {
    const words = ['publish', join(tarballs, file), '--access', 'public', ...(isDryRun ? ['--dry-run'] : [])]
    const published = await capture('npm', words, tarballs)
    output.push(published.output)
    if (!published.ok) return { ok: false, output: output.join('\n') }
  }
  return { ok: true, output: output.join('\n') }
}
