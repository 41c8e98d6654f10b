import { fileURLToPath } from 'node:url'
import { errors } from '@countersign/core'
import { createApp } from '@countersign/server'
import { createApprover } from '@countersign/server/approver'
import { getRequestListener } from '@hono/node-server'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response } from 'express'
import type { Client, Login } from './logins.ts'
import { BANK, type Bank } from './open-bank.ts'
import { createOverview } from './overview.ts'
import { NotMember, type Order } from './payments.ts'

const pages = fileURLToPath(new URL('public', import.meta.url))

const statusOfKind: Readonly<Record<string, number>> = { invalid: 400, forbidden: 403, not_found: 404, unavailable: 503 }

const onError: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof NotMember) response.status(404).json({ message: 'No such account' })
  else if (error instanceof errors.CountersignError && error.code === 'too_few_approvers') {
    const message = 'Two others who share the account must approve this payment, and not enough of them have a phone yet.'
    response.status(409).json({ code: error.code, message })
  } else if (error instanceof errors.CountersignError) {
    response.status(statusOfKind[error.kind] ?? 409).json({ code: error.code, message: error.message })
  } else next(error)
}

const clientOf = (request: Request): Client => ({ address: request.ip, userAgent: request.get('user-agent') })

const readOrder = (body: unknown): Order | undefined => {
  const { account, recipient, cents } = Object(body) as Readonly<Record<string, unknown>>
  const isText = typeof account === 'string' && typeof recipient === 'string' && /^[\p{L}\p{N} .-]{1,70}$/u.test(recipient)
  if (!isText || typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents <= 0) return undefined
  return { account, recipient, cents }
}

export interface AppSettings {
  /** True if browsers reach the bank by HTTPS. */
  readonly secure: boolean
}

/** Serves the pages and the HTTP interface of the bank, the approver, and the routes of Countersign that phones call. */
export const createBankApp = (bank: Bank, { secure }: AppSettings): Express => {
  const { countersign, logins, payments, logger } = bank
  const { readAccounts, readPayments, shown } = createOverview(bank)
  const app = express()
  app.disable('x-powered-by')

  // Serves the approver, the operations that phones call, and the keys of receipts. No operation for other services is public.
  const service = createApp(countersign, {
    version: '1.0.0',
    logger,
    approver: createApprover({ name: BANK, color: '#0a5c43' }),
    requestTarget: (env) => (env as { incoming?: { url?: string } } | undefined)?.incoming?.url,
  })
  const listener = getRequestListener((request, env) => service.fetch(request, env))
  const isPublic = (url: string) => /^\/(?:api\/v1\/auth|approve|\.well-known\/countersign)(?:\/|$)/.test(url)
  app.use((request, response, next) =>
    isPublic(request.url) && service.handles(request.url) ? void listener(request, response) : next(),
  )

  app.use((_request, response, next) => {
    response.set({ 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'", 'Cache-Control': 'no-store' })
    next()
  })
  app.use(express.static(pages))
  app.use(express.json())

  // With `lax`, no page of another site can post here as the customer.
  const cookie = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const
  type Handle = (request: Request, response: Response, login: Login) => Promise<unknown>
  const signedIn =
    (handle: Handle): RequestHandler =>
    async (request, response) => {
      const given = /(?:^|; )bank=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
      const login = given === undefined ? undefined : await logins.of(given)
      if (login === undefined) response.status(401).json({ message: 'Please sign in' })
      else await handle(request, response, login)
    }

  app.post('/login', async (request, response) => {
    const { email, password } = Object(request.body) as Readonly<Record<string, unknown>>
    if (typeof email !== 'string' || typeof password !== 'string') return response.status(400).json({ message: 'Who are you?' })
    const result = await logins.signIn(email, password, clientOf(request))
    if (result === 'guessing') return response.status(429).json({ message: 'Too many attempts. Try again in 15 minutes.' })
    if (result === 'wrong') return response.status(401).json({ message: 'Wrong email or password' })
    return response.cookie('bank', result.cookie, cookie).status(204).end()
  })

  app.post(
    '/logout',
    signedIn(async (_request, response, login) => {
      await logins.signOut(login)
      response.clearCookie('bank', cookie).status(204).end()
    }),
  )

  app.get(
    '/accounts',
    signedIn(async (_request, response, login) => response.json(await readAccounts(login))),
  )

  app.get(
    '/payments',
    signedIn(async (_request, response, login) => response.json({ payments: await readPayments(login) })),
  )

  app.post(
    '/payments',
    signedIn(async (request, response, login) => {
      const order = readOrder(request.body)
      if (order === undefined)
        return response
          .status(400)
          .json({ message: 'Give an account, an amount, and a name with letters, digits, spaces, dots and hyphens only.' })
      return response.status(202).json(shown(await payments.order(order, login, clientOf(request))))
    }),
  )

  app.use(onError)
  return app
}
