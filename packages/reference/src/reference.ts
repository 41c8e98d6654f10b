import swaggerUi, { type SwaggerUi } from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** Shows the OpenAPI document, which the server mounts next to the page. */
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
    // The tokens last as long as the page is open.
    persistAuthorization: false,
    // The page sends no request to other servers, so it shows no badge of an external validator.
    validatorUrl: null,
  })
