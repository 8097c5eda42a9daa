import { contentTypeOf } from './content-types'
import { fileHeaders } from './page-headers'

const headers = { ...fileHeaders, 'Content-Type': contentTypeOf('.txt'), 'Cache-Control': 'no-store' }

/** Returns a 404 for a file of another release, which must not be mistaken for a page. */
export const unknownFile = (): Response => new Response('Not found\n', { status: 404, headers })

const howToBuild = `Tollgate is running. Its console is not built yet:

  npx -y bun@1.4.5 run build:console

Then load this page again. Model calls and the API work without it.
`

/** Returns a 503 for a checkout that was started without its console. */
export const notBuilt = (): Response => new Response(howToBuild, { status: 503, headers })
