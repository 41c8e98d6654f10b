import { describe, expect, it } from 'vitest'
import { commitProblems } from './commits.ts'

describe('a commit message', () => {
  it.each([
    'feat(server): limit request bodies per operation',
    'fix(client-sdk)!: refuse a NaN `retries`\n\nIt was treated as no limit at all.',
    'build: add `npm run release`',
    'docs(adr): CORS is answered by the server',
    'fix(server): keep targets\n\nRequests without a header are\nanswered: only HTTP/1.1 demands the header.',
    'feat(core)!: rename a port\n\nThe old name was misleading.\n\nBREAKING CHANGE: import the new name.',
  ])('that follows Conventional Commits is accepted: %s', async (message) => {
    expect(await commitProblems(message)).toEqual([])
  })

  it.each([
    ['without a type', 'Retries that are no number are none'],
    ['of an unknown type', 'improve(core): make refresh quicker'],
    ['without a subject', 'fix(core):'],
    ['that ends its subject with a full stop', 'fix(core): refuse empty names.'],
    ['that hides a breaking change in its body', 'feat(core): rename a port\n\nThe name:\nBREAKING CHANGE: import the new name.'],
    ['with a subject of more than one line of a terminal', `fix(core): ${'long '.repeat(30)}`],
  ])('%s is refused', async (_, message) => {
    expect(await commitProblems(message)).not.toEqual([])
  })
})
