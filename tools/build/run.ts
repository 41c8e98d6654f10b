import { buildIfNeeded } from './build.ts'

export const run = async (): Promise<number> => ((await buildIfNeeded()) ? 0 : 1)
