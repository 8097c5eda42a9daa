import type { Phrase } from '@tollgate/contract'

/** What a page may load besides the console's own files, as sources of a content policy. */
export interface PageSources {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  readonly fonts: readonly string[]
  readonly connections: readonly string[]
}

/** The HTML that a super admin adds to the page's head, as far as the content policy must know it. */
export interface HeadCode {
  /** Browsers count one line feed for each line ending, and hash scripts with it. */
  readonly html: string
  readonly sources: PageSources
  /** Why it must not be saved; null when nothing is wrong. */
  readonly fault: Phrase | null
}

const allowedTags: ReadonlySet<string> = new Set(['link', 'meta', 'noscript', 'script', 'style'])

/** Has no quotes: inside an attribute that was left open it is not seen. */
const endMark = 'tollgate-end'

/**
 * Parses HTML for the head of the page. Inline scripts are allowed by their hashes. The hosts of scripts, style sheets, preloads and
 * `<link rel="preconnect">` are allowed as sources, because only a super admin writes this text.
 */
export function readHead(text: string): HeadCode {
  const html = text.replace(/\r\n?/g, '\n')
  const found = { scripts: new Set<string>(), styles: new Set<string>(), connections: new Set<string>() }
  let fault: Phrase | null = null
  let hasEnded = false
  const refuse = (code: Phrase['code'], params: Record<string, string> = {}) => (fault ??= { code, params })
  let written = 0
  let inElements = 0
  let script: string | null = null
  const closeScript = () => {
    if (script?.trim()) found.scripts.add(hashOf(script))
    script = null
  }
  new HTMLRewriter()
    .on('*', {
      element(element) {
        closeScript()
        const { tagName } = element
        hasEnded = tagName === endMark
        if (hasEnded) return
        if (!allowedTags.has(tagName)) refuse('reason.head_tag', { tag: tagName })
        for (const [name] of element.attributes) if (/^on/i.test(name)) refuse('reason.head_handler', { name })
        const address = element.getAttribute(tagName === 'script' ? 'src' : 'href')
        if (tagName === 'script' && address === null) script = ''
        const sources = sourcesOf(tagName, element.getAttribute('rel'), element.getAttribute('as'))
        if (address === null || sources.length === 0) return
        const source = hostSource(address)
        if (source === undefined) refuse('reason.head_address', { address: address.slice(0, 200) })
        else if (source !== null) for (const kind of sources) found[kind].add(source)
      },
      text({ text: part }) {
        inElements += part.trim().length
        if (script !== null) script += part
      },
    })
    .onDocument({
      text({ text: part }) {
        written += part.trim().length
      },
    })
    .transform(`${html}<${endMark}>`)
  if (!hasEnded) refuse('reason.head_unclosed')
  if (written > inElements) refuse('reason.head_text')
  const { scripts, styles, connections } = found
  return {
    html,
    sources: {
      scripts: [...scripts],
      styles: [...styles],
      fonts: [...styles.union(connections)],
      connections: [...connections],
    },
    fault,
  }
}

/** Returns a `Content-Security-Policy` source that allows this inline script: https://www.w3.org/TR/CSP3/#grammardef-hash-source */
export const hashOf = (script: string): string =>
  `'sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}'`

type SourceKind = 'scripts' | 'styles' | 'connections'

/** Returns the kinds of resources that the address of an element is loaded as. Scripts report to the host they come from. */
function sourcesOf(tag: string, rel: string | null, as: string | null): readonly SourceKind[] {
  if (tag === 'script') return ['scripts', 'connections']
  if (tag !== 'link') return []
  const relations = (rel ?? '').toLowerCase().split(/\s+/)
  if (relations.includes('stylesheet')) return ['styles']
  if (relations.includes('preconnect')) return ['connections']
  if (relations.includes('modulepreload') || (relations.includes('preload') && as === 'script')) return ['scripts']
  return []
}

/** Returns null for a file of this site, and undefined for what no policy could allow. */
function hostSource(address: string): string | null | undefined {
  const trimmed = address.trim()
  if (!/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(trimmed)) return null
  if (!URL.canParse(trimmed, 'https://site.invalid')) return undefined
  const { protocol, host } = new URL(trimmed, 'https://site.invalid')
  if (!/^https?:$/.test(protocol) || !/^[a-z0-9.-]+(?::\d+)?$/.test(host)) return undefined
  return /^[\\/]/.test(trimmed) ? host : `${protocol}//${host}`
}
