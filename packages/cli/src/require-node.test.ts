import { expect, test } from 'vitest'
import { nodeRefusal } from './require-node.ts'

test.each(['18.20.0', '20.20.2', '21.7.3', '22.17.9'])('Node %s is refused with the version that is needed', (version) => {
  expect(nodeRefusal(version)).toBe(`countersign needs Node 22.18 or newer, and this is Node ${version}`)
})

test.each(['22.18.0', '22.20.1', '23.0.0', '24.21.0', '26.0.0-nightly'])('Node %s is accepted', (version) => {
  expect(nodeRefusal(version)).toBeUndefined()
})
