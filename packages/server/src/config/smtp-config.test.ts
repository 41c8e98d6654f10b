import { describe, expect, it } from 'vitest'
import { linesOf } from '../testing/lines-of.ts'
import { checkConfig } from './check-config.ts'

const smtp = { COUNTERSIGN_SMTP_URL: 'smtps://mail.example.com', COUNTERSIGN_SMTP_FROM: 'no-reply@example.com' }

describe('the settings of mails', () => {
  it.each([
    { COUNTERSIGN_SMTP_URL: 'smtp://me%40example.com:p%3A%2Fw@mail.example.com:2525/' },
    { COUNTERSIGN_SMTP_URL: 'smtps://[::1]:465' },
    { COUNTERSIGN_SMTP_FROM: 'Example, Inc. <no-reply@example.com>' },
    { COUNTERSIGN_SMTP_FROM: 'Bücher <post@bücher.example>' },
    { COUNTERSIGN_SMTP_CODE_PAGE: 'https://example.com/password#code=' },
    { COUNTERSIGN_SMTP_CODE_PAGE: 'http://localhost:3000/#/code/' },
  ])('take %j', (given) => {
    expect(linesOf({ ...smtp, ...given })).toEqual([])
  })

  it.each([
    ['COUNTERSIGN_SMTP_URL', 'mail.example.com', /must be smtps:.* smtp:.*STARTTLS/],
    ['COUNTERSIGN_SMTP_URL', 'http://mail.example.com', /must be smtps:/],
    ['COUNTERSIGN_SMTP_URL', 'smtp://ada:s3cret@', /must be smtps:/],
    ['COUNTERSIGN_SMTP_URL', 'smtp://mail.example.com/x', /must be smtps:/],
    ['COUNTERSIGN_SMTP_URL', 'smtp://mail.example.com?requireTLS=false', /must be smtps:/],
    ['COUNTERSIGN_SMTP_URL', 'smtp://:%zz@mail.example.com', /must be smtps:/],
    ['COUNTERSIGN_SMTP_URL', 'smtps://ada:/s3cret@mail.example.com', /percent-encode the password/],
    ['COUNTERSIGN_SMTP_FROM', 'Example', /must be an address such as/],
    ['COUNTERSIGN_SMTP_FROM', 'a@example.com, b@example.com', /must be an address/],
    ['COUNTERSIGN_SMTP_FROM', 'Example\r\nBcc: <a@example.com>', /must be an address/],
    ['COUNTERSIGN_SMTP_FROM', 'Example <a@example.com>, b@example.com', /must be an address/],
    ['COUNTERSIGN_SMTP_FROM', 'a@example.com\n', /must be an address/],
    ['COUNTERSIGN_SMTP_CODE_PAGE', 'https://example.com/', /must be an https URL with a #/],
    ['COUNTERSIGN_SMTP_CODE_PAGE', 'http://example.com/#', /must be an https URL/],
    ['COUNTERSIGN_SMTP_CODE_PAGE', 'javascript:alert(1)#', /must be an https URL/],
    ['COUNTERSIGN_SMTP_CODE_PAGE', 'https://ada@example.com/#', /must be an https URL/],
    ['COUNTERSIGN_SMTP_CODE_PAGE', 'https://example.com/# ', /must be an https URL/],
  ])('refuse %s=%j without showing the value', (name, value, takes) => {
    const lines = linesOf({ ...smtp, [name]: value })
    expect(lines).toEqual([expect.stringMatching(takes)])
    expect(lines[0]).toMatch(new RegExp(`^${name}: [^\n]*$`))
    expect(lines[0]).not.toContain('s3cret')
  })

  it.each(['COUNTERSIGN_SMTP_URL', 'COUNTERSIGN_SMTP_FROM'] as const)('are refused without %s', (name) => {
    const [other] = Object.keys(smtp).filter((one) => one !== name)
    expect(linesOf({ ...smtp, [name]: undefined })).toEqual([`${name}: must be set where ${other} is set`])
  })

  it('are left out by a diagnosis if one of them is wrong', () => {
    const { config, problems } = checkConfig({ ...smtp, COUNTERSIGN_SMTP_FROM: 'x' })
    expect(config.smtp).toBeUndefined()
    expect(problems).toMatchObject([{ variable: 'COUNTERSIGN_SMTP_FROM', check: 'mail' }])
  })
})
