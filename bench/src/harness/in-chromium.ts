import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { findChromium } from '../../../tools/testing/browser/find-chromium.ts'
import { launchChromium } from '../../../tools/testing/browser/launch-chromium.ts'
import type { ReceiptWithKeys } from '../workers/receipts.ts'
import type { Bench } from './bench.ts'
import { nodeArguments } from './program.ts'
import type { Round } from './round.ts'

/** No server is called: the browser gets an empty page. Web Crypto exists on pages of https only. */
const PAGE = 'https://bench.example/'

/** Bundles the verifier for a page, where it becomes the variable `bundled`. */
const bundleVerifier = async ({ program }: Bench): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { verifyReceipt } from '@countersign/client-sdk/receipt'`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'bundled',
    platform: 'browser',
    conditions: nodeArguments(program).map((argument) => argument.replace('--conditions=', '')),
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs in the page, so it refers to nothing outside. */
const verifyRepeatedly = async ({ receipt, keys, seconds }: ReceiptWithKeys & { readonly seconds: number }): Promise<Round> => {
  const { bundled } = globalThis as unknown as { bundled: typeof import('@countersign/client-sdk/receipt') }
  const begin = performance.now()
  let operations = 0
  for (; performance.now() < begin + seconds * 1000; operations += 1) {
    const { verdict } = await bundled.verifyReceipt(receipt, { keys })
    if (verdict !== 'genuine') throw new Error('the receipt is not genuine')
  }
  return { operations, seconds: (performance.now() - begin) / 1000 }
}

/** Returns rounds of verifications in a page of Chromium, one after another; `undefined` where no Chromium runs. */
export const checksInChromium = async (
  bench: Bench,
  given: ReceiptWithKeys,
): Promise<((seconds: number) => Promise<Round>) | undefined> => {
  const chromium = await findChromium()
  if ('missing' in chromium) {
    bench.tell(chromium.missing)
    return undefined
  }
  const browser = bench.own(await launchChromium(chromium))
  const page = await browser.newPage()
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bench</title>' }))
  await page.goto(PAGE)
  await page.addScriptTag({ content: await bundleVerifier(bench) })
  return (seconds) => page.evaluate(verifyRepeatedly, { ...given, seconds })
}
