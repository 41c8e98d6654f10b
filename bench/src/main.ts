import { run } from './run.ts'

// So that what is to be done at the end is done: servers of ours end, and their databases go.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

process.exit(await run(process.argv.slice(2)))
