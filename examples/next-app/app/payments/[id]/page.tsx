import { readSession, readUser } from '../../../lib/session.ts'

/** Shows whether the person has approved a payment on the phone. */
const Payment = async ({ params }: { readonly params: Promise<{ readonly id: string }> }) => {
  if ((await readUser()) === null) return <a href="/">Please sign in</a>
  const { id } = await params
  const { client } = await readSession()
  const { status } = await client.confirmations.status({ confirmationId: id })
  return (
    <main>
      <h1>{`The payment is ${status}`}</h1>
      {status === 'pending' && <a href={`/payments/${id}`}>Approve it on your phone, then look again</a>}
    </main>
  )
}

export default Payment
