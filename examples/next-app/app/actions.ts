'use server'

import { CountersignError } from '@countersign/client-sdk'
import { redirect } from 'next/navigation'
import { changeSession } from '../lib/session.ts'

/** Signs a person in. The redirect takes the cookie along. */
export const signIn = async (form: FormData): Promise<void> => {
  const { client } = await changeSession()
  try {
    await client.auth.login({ email: String(form.get('email')), password: String(form.get('password')) })
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'WRONG_PASSWORD') redirect('/?refused')
    throw error
  }
  redirect('/')
}

/** Asks the person to approve a payment on the phone. */
export const pay = async (form: FormData): Promise<void> => {
  const { client } = await changeSession()
  const { confirmationId } = await client.confirmations.initiate({
    actionType: 'payment_approval',
    actionPayload: { amount: String(form.get('amount')), currency: 'EUR', recipient: String(form.get('recipient')) },
  })
  redirect(`/payments/${confirmationId}`)
}
