import swaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/** The document stands beside the page, wherever both are mounted. */
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
