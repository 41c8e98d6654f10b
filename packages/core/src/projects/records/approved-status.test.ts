import { expect, it } from 'vitest'
import { readsAsApproved } from './approved-status.ts'

it.each([
  'approved',
  'Approved',
  ' APPROVED ',
  'approved\u200B',
  '\u2800approved',
  'app\u00ADroved',
  'app\u{E0101}roved',
  'ａｐｐｒｏｖｅｄ',
  '𝒂𝐩𝐩𝐫𝐨𝐯𝐞𝐝',
  'ⓐⓟⓟⓡⓞⓥⓔⓓ',
  'appr\u043Eved',
  '\u0430\u0440\u0440r\u043Ev\u0435\u0501',
  '\u0391\u03A1\u03A1R\u039FV\u0395D',
  '\u13AA\u13E2\u13E2\u13D2\u0555\u13D9\u13AC\u13A0',
  'appr0ved',
  'appr\u06F5\u1D20ed',
  'approve\u1E0B',
  'appro\u0308ved',
  'appröved',
  '\u0430\u0301pproved',
  'appro\u20DDved',
  '\u202Edevorppa\u202C',
  'app\u202Evor\u202Ced',
  '\u2067approved\u2069',
])('people read %j as approved', (status) => {
  expect(readsAsApproved(status)).toBe(true)
})

it.each([
  '',
  'approve',
  'approval',
  'not approved',
  'approved by the board',
  'unapproved',
  'apprøved',
  'devorppa',
  'одобрен',
  'εγκρίθηκε',
  '\u202Ependin\u202Cg',
])('people do not read %j as approved', (status) => {
  expect(readsAsApproved(status)).toBe(false)
})
