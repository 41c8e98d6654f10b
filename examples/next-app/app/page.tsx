import { readUser } from '../lib/session.ts'
import { pay, signIn } from './actions.ts'

const SignIn = ({ isRefused }: { readonly isRefused: boolean }) => (
  <form action={signIn}>
    <h1>Please sign in</h1>
    {isRefused && <p role="alert">The email or the password is wrong.</p>}
    <input name="email" type="email" aria-label="Email" autoComplete="username" required />
    <input name="password" type="password" aria-label="Password" autoComplete="current-password" required />
    <button type="submit">Sign in</button>
  </form>
)

/** A server component that shows who is signed in. */
const Home = async ({ searchParams }: { readonly searchParams: Promise<Record<string, string | undefined>> }) => {
  const me = await readUser()
  if (me === null) return <SignIn isRefused={(await searchParams).refused !== undefined} />
  return (
    <main>
      <h1>{`Hello, ${me.user.email}`}</h1>
      <form action={pay}>
        <input name="recipient" aria-label="Recipient" required />
        <input name="amount" inputMode="decimal" aria-label="Amount in EUR" required />
        <button type="submit">Pay</button>
      </form>
      <form action="/sign-out" method="post">
        <button type="submit">Sign out</button>
      </form>
    </main>
  )
}

export default Home
