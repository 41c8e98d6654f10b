import swaggerUi, { type SwaggerUi } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** Shows the document, which stands beside the page wherever both are mounted. */
export const showReference = (): SwaggerUi =>
  swaggerUi({
    url: new URL('openapi.json', document.baseURI).href,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    // Tokens are for as long as the page is open.
    persistAuthorization: false,
    // Nothing is asked of anybody else: no badge of an outside validator.
    validatorUrl: null,
  })
