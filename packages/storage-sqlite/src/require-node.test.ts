import { describe, expect, it } from 'vitest'
import { requireNode } from './open.ts'

describe('the check of the Node.js version', () => {
  it.each(['22.18.0', '22.21.1', '23.0.0', '24.21.0', '100.0.0'])('accepts %s', (version) => {
    expect(() => requireNode(version)).not.toThrow()
  })

  it.each(['18.20.8', '20.20.2', '22.17.9', '22.0.0'])('refuses %s in one line that names the version', (version) => {
    const oneLine = new RegExp(`^Countersign needs Node\\.js 22\\.18 or newer.*${version.replaceAll('.', '\\.')}$`)
    expect(() => requireNode(version)).toThrow(oneLine)
  })
})
