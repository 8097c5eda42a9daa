import type { OptionValues } from '@tollgate/contract'

import { sha256 } from '../../platform/store/seal'
import { contentTypeOf, isKnown } from './file-responses'
import { fileHeaders } from './page-headers'

export const manifestPath = '/manifest.webmanifest'

export type ManifestOptions = Pick<OptionValues, 'SystemName' | 'Logo'>

/** Returns what a browser needs to install the console as an app. The colours are those of the light theme. */
const manifestOf = ({ SystemName: name, Logo: logo }: ManifestOptions) => ({
  id: '/',
  name,
  short_name: name,
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#f3f5fa',
  theme_color: '#ffffff',
  icons: [
    // A data URL is too large to be sent along here.
    ...(logo === '' || logo.startsWith('data:') ? [] : [{ src: logo, sizes: 'any', purpose: 'any' }]),
    { src: '/icons/192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
})

/** Returns the manifest, which has the site's current name and logo. */
export function respondWithManifest(request: Request, options: ManifestOptions): Response {
  const body = JSON.stringify(manifestOf(options))
  const hash = sha256(body).slice(0, 20)
  const headers = {
    ...fileHeaders,
    'Content-Type': contentTypeOf(manifestPath),
    'Cache-Control': 'no-cache',
    ETag: `W/"${hash}"`,
  }
  if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
