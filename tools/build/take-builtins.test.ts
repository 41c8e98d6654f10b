import { expect, it } from 'vitest'
import { takeBuiltins } from './take-builtins.ts'

it.each([
  [`import { a } from "node:fs";`, `const { a } = globalThis.process.getBuiltinModule("node:fs");`],
  [`import { a as b, c } from "fs";`, `const { a: b, c } = globalThis.process.getBuiltinModule("fs");`],
  [`import process from 'node:process'`, `const process = globalThis.process.getBuiltinModule("node:process")`],
  [`import fs from 'fs'`, `const fs = globalThis.process.getBuiltinModule("fs")`],
  [`import * as fs from "node:fs/promises";`, `const fs = globalThis.process.getBuiltinModule("node:fs/promises");`],
  [
    `import fs, { a as b } from "fs";`,
    `const fs = globalThis.process.getBuiltinModule("fs"); const { a: b } = globalThis.process.getBuiltinModule("fs");`,
  ],
])('the built code takes the modules of %s from `process.getBuiltinModule`', (before, after) => {
  expect(takeBuiltins(before)).toBe(after)
})

it('the built code still runs if it imports process itself', async () => {
  const code = takeBuiltins(
    `import { EventEmitter } from "node:events"; import process from "node:process"; export const pid = process.pid`,
  )
  expect(await import(`data:text/javascript,${encodeURIComponent(code)}`)).toMatchObject({ pid: process.pid })
})

it('the built code keeps the line of every statement', () => {
  expect(takeBuiltins(`import {\n  a,\n  b\n} from "node:os";\nimport { c } from "node:fs"; c(a)\nb()`)).toBe(
    `const { a, b } = globalThis.process.getBuiltinModule("node:os")\n\n\n;\nconst { c } = globalThis.process.getBuiltinModule("node:fs"); c(a)\nb()`,
  )
})

it('other modules, strings and dynamic imports stay unchanged', () => {
  const code = `import { a } from "./a.js";\nimport b from 'commander';\nconst text = 'import c from "fs"';\nawait import("node:fs")`
  expect(takeBuiltins(code)).toBe(code)
})

it.each([`import { default as fs } from "fs"`, `export { a } from "fs"`, `import "node:fs"`])('the build refuses %s', (code) => {
  expect(() => takeBuiltins(code)).toThrow('Not understood by the build: ')
})
