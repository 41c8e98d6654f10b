import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import type { Engine, Tab } from './engine.ts'
import { beBusy, findProcess } from './find-process.ts'

type Send = <T>(method: string, path: string, body?: object) => Promise<T>

/** Sends commands of WebDriver, https://www.w3.org/TR/webdriver2/. */
const sendTo =
  (origin: string): Send =>
  async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { readonly value: T & { readonly error?: string; readonly message?: string } }
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }

/** The state of a function that runs in a page, kept there under its number. */
interface Outcome {
  readonly done?: boolean
  readonly value?: unknown
  readonly error?: string
}

// A command that waits for the page would make the commands for the other tabs wait. The function is in the text of the
// command, because pages with a Content Security Policy evaluate no text.
const startOf = (run: (given: never) => unknown): string => `const [number, given] = arguments
  const outcomes = (globalThis.outcomes ??= {})
  const result = (${run})(given)
  if (typeof result?.then !== 'function') return { done: true, value: result }
  outcomes[number] = {}
  result.then(
    (value) => { outcomes[number] = { done: true, value } },
    (error) => { outcomes[number] = { done: true, error: String(error) } })
  return {}`
const READ = 'const outcome = globalThis.outcomes?.[arguments[0]]; return outcome ?? { done: true, error: "The page was left" }'

let number = 0

const toTab = (command: Send, pid: number): Tab => {
  const script = <T>(text: string, ...args: readonly unknown[]) => command<T>('POST', '/execute/sync', { script: text, args })
  const evaluate = async (run: (given: never) => unknown, given?: unknown) => {
    number += 1
    const own = number
    let outcome = await script<Outcome>(startOf(run), own, given ?? null)
    while (!outcome.done) {
      await sleep(20)
      outcome = await script<Outcome>(READ, own)
    }
    if (outcome.error !== undefined) throw new Error(outcome.error)
    return outcome.value
  }
  // The driver's own command waits for ever for a page that has loaded before the driver begins to wait.
  const reload = async () => {
    await script('globalThis.isLeft = true; location.reload()')
    const isLoading = () => script<boolean>('return globalThis.isLeft === true || document.readyState !== "complete"')
    // A command can fail while one page gives way to the next.
    while (await isLoading().catch(() => true)) await sleep(20)
  }
  return {
    evaluate,
    goto: (url) => command('POST', '/url', { url }),
    reload,
    close: () => command('DELETE', '/window'),
    findProcess: () => findProcess(pid, () => script(`(${beBusy})()`)),
  }
}

/** Starts a screen for windows that nobody sees. Resolves with its name. */
const startScreen = async (): Promise<readonly [ChildProcess, string]> => {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x844x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [line] = (await once(screen.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  return [screen, `:${String(line).trim()}`]
}

/** Resolves when the driver answers. */
const answers = async (send: Send): Promise<void> => {
  for (let left = 100; ; left -= 1) {
    try {
      await send('GET', '/status')
      return
    } catch (error) {
      if (left === 0) throw error
      await sleep(100)
    }
  }
}

/** Starts the browser of `webkit2gtk-driver` on a screen that nobody sees. */
export const startWebKit = async (): Promise<Engine> => {
  const port = await freePort()
  const [screen, display] = await startScreen()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } })
  const end = (): void => {
    driver.kill()
    screen.kill()
  }
  const send = sendTo(`http://127.0.0.1:${port}`)
  const { sessionId } = await answers(send)
    .then(() => send<{ readonly sessionId: string }>('POST', '/session', { capabilities: {} }))
    .catch((error: unknown) => {
      end()
      throw error
    })
  const ofSession: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body)

  let last: Promise<unknown> = Promise.resolve()
  /** Runs the commands of all tabs one after another: a command goes to the window that was chosen last. */
  const inWindow =
    (handle: string): Send =>
    <T>(method: string, path: string, body?: object) => {
      const running = last
        .catch(() => undefined)
        .then(async () => {
          await ofSession('POST', '/window', { handle })
          return ofSession<T>(method, path, body)
        })
      last = running
      return running
    }
  // This window stays open, because only next to an open window can another one be opened.
  const first = inWindow(await ofSession('GET', '/window'))
  return {
    openTab: async () => {
      const { handle } = await first<{ readonly handle: string }>('POST', '/window/new', { type: 'tab' })
      return toTab(inWindow(handle), driver.pid ?? 0)
    },
    close: async () => {
      await ofSession('DELETE', '').catch(() => undefined)
      end()
    },
  }
}
