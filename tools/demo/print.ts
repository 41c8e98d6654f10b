import { styleText } from 'node:util'

/** Printing for the demonstration: numbered steps, their meaning, and the transmitted values. */

const LONGEST = 60

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, 12)}…${text.slice(-6)} (${text.length} characters)`

const shown = (value: unknown): string => (typeof value === 'string' ? shortened(value) : JSON.stringify(value))

export const tellStep = (number: number, title: string, meaning: string): void => {
  console.log(`\n${styleText('bold', `${number}. ${title}`)}\n   ${styleText('dim', meaning)}`)
}

export const tellNote = (text: string): void => {
  console.log(`   ${styleText('cyan', '•')} ${text}`)
}

export const tellRequest = (line: string): void => {
  console.log(`   ${styleText('yellow', '→')} ${line}`)
}

export const tellAnswer = (status: number): void => {
  console.log(`   ${styleText(status < 400 ? 'green' : 'red', '←')} ${status}`)
}

export const tellMembers = (members: readonly (readonly [name: string, value: unknown])[]): void => {
  const width = Math.max(0, ...members.map(([name]) => name.length))
  for (const [name, value] of members) console.log(`       ${name.padEnd(width)}  ${shown(value)}`)
}
