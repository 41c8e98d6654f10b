import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {readonly NodeJS.Signals[]} */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program in the foreground, with this process's terminal, until it ends. Signals to end are handed on, and it is
 * the program that decides what they mean: this process outlives it. Resolves with its exit code, 128 + the signal's
 * number (as shells count) where a signal ended it. Rejects where it could not be started.
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
