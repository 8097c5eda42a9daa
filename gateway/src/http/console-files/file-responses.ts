import { fileHeaders } from './page-headers'
const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json; charset=utf-8',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
}

/** Returns the media type of a file by its extension. */
export const contentTypeOf = (name: string): string =>
  contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'

/** Returns whether the client already has the version with this weak tag. */
export function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (!known) return false
  const bare = tag.slice('W/'.length)
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare)
}

const textHeaders = { ...fileHeaders, 'Content-Type': contentTypeOf('.txt'), 'Cache-Control': 'no-store' }

/** Returns a 404 for a file of another release, which must not be mistaken for a page. */
export const unknownFile = (): Response => new Response('Not found\n', { status: 404, headers: textHeaders })

const howToBuild = `Tollgate is running. Its console is not built yet:

  npx -y bun@1.4.5 run build:console

Then load this page again. Model calls and the API work without it.
`

/** Returns a 503 for a checkout that was started without its console. */
export const notBuilt = (): Response => new Response(howToBuild, { status: 503, headers: textHeaders })
