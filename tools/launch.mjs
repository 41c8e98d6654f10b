import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {readonly NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the foreground, on the terminal of this process, until it ends. Forwards signals to the program, which
 * decides how to handle them; this process ends later. Resolves with the exit code of the program. If a signal ended the
 * program, the code is 128 + the number of the signal, as in shells. Rejects if the program could not be started.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ readonly cwd?: string, readonly env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export const launch = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    const hand = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    const settle = () => {
      for (const signal of forwarded) process.off(signal, hand)
    }
    for (const signal of forwarded) process.on(signal, hand)
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      settle()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
