import { buildIfNeeded } from '../build/build.ts'
import { check } from './check.ts'

export const run = async (): Promise<number> => ((await buildIfNeeded()) && (await check()) === 0 ? 0 : 1)
