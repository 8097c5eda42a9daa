import { brotliCompressSync, constants } from 'node:zlib'

import type { OptionValues } from '@tollgate/contract'

import { sha256 } from '../../platform/store/seal'
import { chooseEncoding, encodings, type Encoding } from './accept-encoding'
import { readHead, type HeadCode, type PageSources } from './head-code'

/** What an operator changes about the page itself. */
export type PageOptions = Pick<OptionValues, 'SystemName' | 'Logo' | 'custom_head_html' | 'global_css' | 'global_js'>

/** The page as the site's options make it. */
export interface SitePage {
  readonly sources: PageSources
  /** Undefined: as the build made it. */
  readonly own?: OwnPage
}

interface OwnPage {
  readonly tag: string
  body(acceptedEncodings: string | null): {
    readonly encoding: Encoding | null
    readonly content: Uint8Array<ArrayBuffer>
  }
}

/** Addresses of the operator's style sheet and script; a changed one has another query. */
export const stylePath = '/custom/global.css'
export const scriptPath = '/custom/global.js'

export const shortHash = (text: string): string => sha256(text).slice(0, 20)

/** Requested with `?safe=1`, the page is without the operator's own code, which may have broken everything else. */
export const isSafe = (url: string): boolean => /[?&]safe=1(?:&|$)/.test(url)

/** Returns the page with the site's name, its logo and the operator's own code, unless all are as the build has them. */
export function sitePage(built: string, options: PageOptions, isSafeMode: boolean): SitePage {
  const { html: head, sources } = isSafeMode ? noHead : usableHead(options.custom_head_html)
  const end = isSafeMode ? '' : ownFiles(options)
  const text = withIcons(built, options.Logo)
    .replace(`<title>${builtName}</title>`, () => `<title>${escapeHtml(options.SystemName)}</title>`)
    .replace('</head>', () => `${head}</head>`)
    .replace('</body>', () => `${end}</body>`)
  return text === built ? { sources } : { sources, own: ownPage(text) }
}

const builtName = 'Tollgate'

/** A data URL is too large to be sent along here. Home screens do not show SVG. */
function withIcons(built: string, logo: string): string {
  if (logo === '' || logo.startsWith('data:')) return built
  const href = ` href="${escapeHtml(logo)}"`
  const page = built.replace(/(<link rel="icon") href="[^"]*"/, (_, link: string) => link + href)
  return /\.svg(?:$|\?)/i.test(logo)
    ? page
    : page.replace(/(<link rel="apple-touch-icon") href="[^"]*"/, (_, link: string) => link + href)
}

const noHead: HeadCode = { html: '', sources: { scripts: [], styles: [], fonts: [], connections: [] }, fault: null }

/** An earlier release may have stored what would swallow the page. */
function usableHead(text: string): HeadCode {
  const head = text.trim() === '' ? noHead : readHead(text)
  return head.fault ? noHead : head
}

/** The style sheet comes after those that pages load into the head, so that it wins over them. */
function ownFiles({ global_css: css, global_js: js }: PageOptions): string {
  const style = css.trim() && `<link rel="stylesheet" href="${stylePath}?v=${shortHash(css)}">`
  const script = js.trim() && `<script defer src="${scriptPath}?v=${shortHash(js)}"></script>`
  return style + script
}

function ownPage(text: string): OwnPage {
  const plain = new TextEncoder().encode(text)
  const packed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>> = {}
  return {
    tag: `W/"${shortHash(text)}"`,
    body(accepted) {
      const encoding = chooseEncoding(accepted, encodings)
      return { encoding, content: encoding ? (packed[encoding] ??= pack[encoding](plain)) : plain }
    },
  }
}

/** Higher levels save a tenth, and block all calls for tens of milliseconds. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const pack: Readonly<Record<Encoding, (plain: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>>> = {
  br: (plain) => Uint8Array.from(brotliCompressSync(plain, brotli)),
  gzip: (plain) => Bun.gzipSync(plain),
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
