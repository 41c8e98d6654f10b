import { describe, expect, it } from 'vitest'
import { createLogger, type LogLevel } from './logger.ts'

const recorded = (level: LogLevel = 'trace') => {
  const lines: string[] = []
  return { logger: createLogger(level, { write: (line) => lines.push(line) }), lines }
}

describe('a log line', () => {
  it('is one JSON object with level, time, event and the fields of the event', () => {
    const { logger, lines } = recorded()
    logger.info('request', { status: 200, route: '/health' })
    logger.warn('alone')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        event: 'request',
        status: 200,
        route: '/health',
      },
      { level: 'warn', time: expect.any(String), event: 'alone' },
    ])
  })

  it('stays one line of bounded length, whatever a field contains', () => {
    const { logger, lines } = recorded()
    logger.error('x', { text: 'a\r\nb\u001b[31m\u2028', long: 'y'.repeat(100_000), nested: { long: 'z'.repeat(100_000) } })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u)
    expect(lines[0]?.length).toBeLessThan(3000)
  })

  it('contains no field with the name of a secret at any depth, and no error message', () => {
    const { logger, lines } = recorded()
    const secret = 'hunter2'
    logger.info('x', {
      password: secret,
      newPassword: secret,
      refreshToken: secret,
      pushToken: secret,
      authorization: secret,
      signedChallenge: secret,
      challenge: secret,
      actionPayload: { amount: secret },
      headers: [{ cookie: secret }],
      error: new Error(secret),
      err: new Error(secret),
      deviceId: 'kept',
    })
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).toContain('kept')
  })

  it('ends where a field contains itself', () => {
    const { logger, lines } = recorded()
    const round: Record<string, unknown> = {}
    round.round = round
    logger.info('x', round)
    expect(lines[0]).toContain('[deep]')
  })
})

it('a logger writes the lines of its level and of higher levels', () => {
  const written = (level: LogLevel) => {
    const { logger, lines } = recorded(level)
    logger.info('i')
    logger.warn('w')
    logger.error('e')
    return lines.length
  }
  expect((['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const).map(written)).toEqual([3, 3, 3, 2, 1, 0, 0])
})
