import swaggerUi, { type SwaggerUi } from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import { keepAccessible } from './accessible.ts'
import { offerSignIn } from './sign-in.ts'

/** Shows the OpenAPI document, which the server mounts next to the page. */
const showReference = (): SwaggerUi =>
  swaggerUi({
    url: new URL('openapi.json', document.baseURI).href,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    // The tokens last as long as the page is open.
    persistAuthorization: false,
    // The page sends no request to other servers, so it shows no badge of an external validator.
    validatorUrl: null,
  })

/** Shows the page in the colour scheme of the reader's system. Swagger UI has dark colours under this class. */
const followColourScheme = (): void => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
  follow()
  dark.addEventListener('change', follow)
}

followColourScheme()
keepAccessible()
offerSignIn(showReference())
