import { createHash } from 'node:crypto'
import { type Page, pageRoute } from './page-routes.ts'

const links = {
  playground: ['playground', 'Playground', 'Sign in, ask for an approval and answer it on the phone next to it.'],
  approver: ['approve/', 'Approver', 'The page on which people answer requests. They install it on their phones.'],
  reference: ['docs', 'API', 'Every path of this server, to read and to call.'],
} as const

/** The pages that a start page can link. */
export type LinkedPage = keyof typeof links

/** The colours of the page and of the bar of the browser. */
const grounds = { light: '#f4f5f8', dark: '#0c0e13' } as const

const style = `:root { color-scheme: light dark; color: light-dark(#191d26, #e6e9f0); background: light-dark(${grounds.light}, ${grounds.dark}) }
body { max-width: 36rem; margin: 12vh auto; padding: 0 1.25rem; font: 1.0625rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.75rem; margin: 0 }
ul { list-style: none; padding: 0; margin: 2rem 0 }
li { border-top: 1px solid #8886; padding: 1rem 0 }
a { font-size: 1.25rem; font-weight: 600; color: light-dark(#2748c7, #a9b9ff) }
p { margin: 0.25rem 0; color: light-dark(#545d6e, #b0b8c6) }`

/** The page has one style and one empty icon of its own, loads nothing, and runs nothing. */
const headers = {
  'Content-Security-Policy': `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/** Makes the page at `/` of a server for development. It says what the server is, and links its other pages. */
export const createStartPage = (pages: readonly LinkedPage[]): Page => {
  const items = pages.map((page) => {
    const [href, name, about] = links[page]
    return `<li><a href="${href}">${name}</a><p>${about}</p></li>`
  })
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${grounds.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${grounds.dark}">
<meta name="robots" content="noindex">
<title>Countersign</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Countersign</h1>
<p>Sign-in with devices, and approvals that are signed. This server runs for development; in production this page is absent.</p>
<ul>
${items.join('\n')}
</ul>
</main>
</body>
</html>
`
  return { routes: [pageRoute('/', async () => ({ text, contentType: 'text/html; charset=utf-8' }), headers)] }
}
