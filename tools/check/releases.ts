import { getReleasePlan } from '@changesets/get-release-plan'
import type { Outcome } from '../capture.ts'
import { publicPackages, repository } from '../workspace.ts'

/** Checks that the changesets are readable, name existing packages, and give all public packages the same next version. */
export const checkReleases = async (): Promise<Outcome> => {
  try {
    const { releases, changesets } = await getReleasePlan(repository)
    if (changesets.length === 0) return { ok: true, output: '' }
    const versions = publicPackages().map(
      ({ name }) => `${name} ${releases.find((release) => release.name === name)?.newVersion ?? 'not released'}`,
    )
    const ok = new Set(versions.map((line) => line.split(' ')[1])).size === 1
    return { ok, output: ok ? '' : `The packages would not share one version:\n${versions.join('\n')}` }
  } catch (error) {
    return { ok: false, output: error instanceof Error ? error.message : String(error) }
  }
}
