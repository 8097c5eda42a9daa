import { readFileSync } from 'node:fs'
import { defaultOptions, type OptionValues } from '@tollgate/contract'

import { chooseEncoding, encodings } from './accept-encoding'
import { isPage, pathOf } from './areas'
import { findConsoleBuild, type ConsoleBuild, type ConsoleFile } from './console-build'
import { contentTypeOf, isKnown, notBuilt, unknownFile } from './file-responses'
import { respondWithManifest, manifestPath, type ManifestOptions } from './manifest'
import { contentPolicy, fileHeaders, pageHeaders, scriptHashes } from './page-headers'
import { isSafe, sitePage, type PageOptions, type SitePage, scriptPath, shortHash, stylePath } from './site-page'

/** Serves the console to browsers. */
export interface ConsoleFiles {
  /** Returns undefined when the request is not for the console. */
  respond(request: Request): Response | undefined
}

const assets = '/assets/'
const suffixes = { br: '.br', gzip: '.gz' } as const

/** A file with the headers of its responses. */
interface Served {
  readonly file: ConsoleFile
  readonly headers: Readonly<Record<string, string>>
}

interface Site {
  readonly build: ConsoleBuild
  readonly page: Served
  /** As the build wrote it. */
  readonly html: string
  readonly hashes: readonly string[]
  readonly byPath: ReadonlyMap<string, Served>
}

interface ConsoleFilesOptions {
  readonly find?: () => ConsoleBuild | null
  /** Returns the site's current options. */
  readonly options?: () => PageOptions & ManifestOptions & Pick<OptionValues, 'PayAddress'>
  /** Returns the origins of the services whose scripts a page needs as the site is configured now. */
  readonly scriptOrigins?: () => readonly string[]
}

/** Serves the built console, which is looked for when the first browser comes. */
export function createConsoleFiles({
  find = findConsoleBuild,
  options = () => defaultOptions,
  scriptOrigins = () => [],
}: ConsoleFilesOptions = {}): ConsoleFiles {
  let site: Site | null = null
  const pageOfNow = rememberingPages()
  const respondWithPage = (request: Request, { build, page, html, hashes }: Site): Response => {
    const { sources, own } = pageOfNow(html, options(), isSafe(request.url))
    const policy = contentPolicy(hashes, scriptOrigins(), sources, options().PayAddress)
    const headers = { ...page.headers, 'Content-Security-Policy': policy }
    return own ? respondWithOwnPage(request, headers, own) : respondWithFile(request, { ...page, headers }, build)
  }
  return {
    respond(request) {
      const path = pathOf(request.url)
      // Some payment services send the payer back by a form.
      if (request.method === 'POST' && path === afterPayment) {
        return new Response(null, { status: 303, headers: { Location: path } })
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
      if (path === manifestPath) return respondWithManifest(request, options())
      if (path.startsWith('/custom/')) return ownFile(request, path, options())
      const isAsset = path.startsWith(assets)
      // Checked with each page, so that a browser that loads one gets the files that belong to it.
      if (!site || (!isAsset && !site.build.isCurrent())) site = siteOf(find())
      const served = site?.byPath.get(path)
      if (site && served)
        return served === site.page ? respondWithPage(request, site) : respondWithFile(request, served, site.build)
      if (isAsset) return unknownFile()
      if (!isPage(path) && !acceptsPage(request)) return undefined
      return site ? respondWithPage(request, site) : notBuilt()
    },
  }
}

const afterPayment = '/app/wallet/topup-success'

const acceptsPage = (request: Request): boolean => request.headers.get('accept')?.includes('text/html') ?? false

function siteOf(build: ConsoleBuild | null): Site | null {
  const index = build?.files.find(({ name }) => name === 'index.html')
  if (!build || !index) return null
  const page = pageOf(index)
  const html = readFileSync(build.locate(index.name), 'utf8')
  const hashes = scriptHashes(html)
  const byPath = new Map(build.files.map((file) => [`/${file.name}`, file === index ? page : fileOf(file)]))
  return { build, page, html, hashes, byPath }
}

/** Rebuilds the page only when the build or the options have changed. */
function rememberingPages(): typeof sitePage {
  const pages = new Map<boolean, { html: string; options: PageOptions; page: SitePage }>()
  return (html, options, isSafeMode) => {
    const last = pages.get(isSafeMode)
    if (last?.html === html && last.options === options) return last.page
    const page = sitePage(html, options, isSafeMode)
    pages.set(isSafeMode, { html, options, page })
    return page
  }
}

/** Revalidated each time, so that a new release is seen at once. The same address may have other responses. */
const pageOf = (file: ConsoleFile): Served => ({
  file,
  headers: {
    ...commonHeaders(file),
    ...pageHeaders(),
    'Cache-Control': 'no-cache',
    Vary: 'Accept, Accept-Encoding',
  },
})

/** The names of assets change with their content. */
const fileOf = (file: ConsoleFile): Served => ({
  file,
  headers: {
    ...commonHeaders(file),
    ...fileHeaders,
    'Cache-Control': `/${file.name}`.startsWith(assets)
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600',
    Vary: 'Accept-Encoding',
  },
})

/** The tag is weak: it is the same whichever way the content is encoded. */
const commonHeaders = (file: ConsoleFile) => ({ 'Content-Type': contentTypeOf(file.name), ETag: `W/"${file.hash}"` })

function respondWithOwnPage(
  request: Request,
  headers: Record<string, string>,
  own: NonNullable<SitePage['own']>,
): Response {
  const all = new Headers({ ...headers, ETag: own.tag })
  if (isKnown(request, own.tag)) return new Response(null, { status: 304, headers: all })
  const { encoding, content } = own.body(request.headers.get('accept-encoding'))
  if (encoding) all.set('Content-Encoding', encoding)
  if (request.method !== 'HEAD') return new Response(content, { headers: all })
  all.set('Content-Length', String(content.length))
  return new Response(null, { headers: all })
}

function respondWithFile(request: Request, { file, headers }: Served, build: ConsoleBuild): Response {
  if (isKnown(request, headers['ETag'] ?? '')) return new Response(null, { status: 304, headers })
  const available = encodings.filter((encoding) => file.encoded[encoding] !== undefined)
  const encoding = chooseEncoding(request.headers.get('accept-encoding'), available)
  const all = new Headers(headers)
  if (encoding) all.set('Content-Encoding', encoding)
  if (request.method === 'HEAD') {
    all.set('Content-Length', String((encoding && file.encoded[encoding]) ?? file.bytes))
    return new Response(null, { headers: all })
  }
  return new Response(Bun.file(build.locate(file.name + (encoding ? suffixes[encoding] : ''))), { headers: all })
}

/** Returns the operator's own style sheet or script. */
function ownFile(request: Request, path: string, options: PageOptions): Response {
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
