import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Imported before a program (`--import`): writes the URL of each module that the program loads to the file that the query names.

const file = new URL(import.meta.url).searchParams.get('file')
if (file === null) throw new Error('record-modules.ts needs ?file=')

registerHooks({
  load: (url, context, nextLoad) => {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})
