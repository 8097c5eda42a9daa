import { contentTypeOf } from './content-types'
import { isKnown } from './is-known'
import { unknownFile } from './missing'
import { fileHeaders } from './page-headers'
import { scriptPath, shortHash, stylePath, type PageOptions } from './site-page'

/** Returns the operator's own style sheet or script. */
export function ownFile(request: Request, path: string, options: PageOptions): Response {
  const text = textOf(path, options)
  if (text === undefined) return unknownFile()
  const hash = shortHash(text)
  const headers = {
    ...fileHeaders,
    'Content-Type': contentTypeOf(path),
    // The page names the version it wants. A request without one gets the current version.
    'Cache-Control': request.url.endsWith(`?v=${hash}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: `W/"${hash}"`,
  }
  if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : text, { headers })
}

function textOf(path: string, { global_css: css, global_js: js }: PageOptions): string | undefined {
  if (path === stylePath) return css
  return path === scriptPath ? js : undefined
}
