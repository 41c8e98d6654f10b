import Link from 'next/link'
import type { ReactNode } from 'react'

export const metadata = { title: 'Shop' }

const Layout = ({ children }: { readonly children: ReactNode }) => (
  <html lang="en">
    <body>
      <nav>
        <Link href="/">Shop</Link> <Link href="/terms">Terms</Link>
      </nav>
      {children}
    </body>
  </html>
)

export default Layout
