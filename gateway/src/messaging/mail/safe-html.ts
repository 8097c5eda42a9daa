/** Kept, without attributes except those of links. All other tags are removed, and their content stays. */
const allowedTags = tags(
  'p div br hr h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt dd table caption thead tbody tfoot tr th td',
  'strong b em i u s del ins small sub sup mark code kbd q cite a',
)

/** Removed with their content: code, other documents, foreign vocabularies, what is not text to read. */
const droppedTags = tags(
  'script style template noscript noembed noframes iframe frameset object applet svg math head title',
  'select datalist textarea button xmp plaintext listing audio video canvas map',
)

const voidTags = tags('br hr')
/** On lines of their own in the text. */
const blockTags = /^(?:p|div|h[1-6]|blockquote|pre|ul|ol|dl|table|tr|hr)$/
/** Only their start begins a line. */
const lineTags = /^(?:li|dt|dd|caption)$/
const safeAddress = /^(?:https?:\/\/|mailto:)[^\s"'<>`]+$/i

/**
 * Rebuilds HTML written by a person from its tokens: the result contains nothing but text and the tags above, however the source is
 * parsed. Images become links to them: a mail program that loads one reveals where it was read.
 */
export function safeHtml(source: string): { readonly html: string; readonly text: string } {
  const writer = new Writer()
  new HTMLRewriter()
    .on('*', { element: (element) => writer.open(element) })
    .onDocument({ text: ({ text }) => writer.text(text) })
    .transform(source)
  return writer.end()
}

/** An element that is not closed yet. */
interface Opened {
  readonly tag: string
  /** The target of a link that is kept; otherwise empty. */
  readonly href: string
}

class Writer {
  readonly #open: Opened[] = []
  #html = ''
  #text = ''
  /** How many of the dropped elements are open. */
  #dropped = 0

  open(element: HTMLRewriterTypes.Element): void {
    const tag = element.tagName.toLowerCase()
    if (droppedTags.has(tag)) return this.#drop(element)
    if (this.#dropped > 0) return
    if (tag === 'img') return this.#image(element.getAttribute('src') ?? '', element.getAttribute('alt') ?? '')
    if (!allowedTags.has(tag)) return
    this.#breakLine(tag)
    if (voidTags.has(tag)) {
      this.#html += `<${tag}>`
      if (tag === 'br') this.#text += '\n'
      return
    }
    const entry = { tag, href: tag === 'a' ? safeHref(element.getAttribute('href') ?? '') : '' }
    this.#open.push(entry)
    this.#html += startTag(entry)
    if (tag === 'li') this.#text += '- '
    if (/^t[dh]$/.test(tag) && !this.#text.endsWith('\n')) this.#text += ' | '
    if (element.canHaveContent) element.onEndTag(() => this.#close(entry))
  }

  text(text: string): void {
    if (this.#dropped > 0 || text === '') return
    this.#html += escapedText(text)
    const isVerbatim = this.#open.some(({ tag }) => tag === 'pre')
    this.#text += isVerbatim ? decodeEntities(text) : decodeEntities(text.replace(/\s+/g, ' '))
  }

  end() {
    while (this.#open.length > 0) this.#closeLast()
    const text = this.#text
      .replace(/(?<![ \t])[ \t]+\n/g, '\n')
      .replace(/\n[ \t]+/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
    return { html: this.#html.trim(), text: text.trim() }
  }

  #drop(element: HTMLRewriterTypes.Element): void {
    if (!element.canHaveContent) return
    this.#dropped += 1
    element.onEndTag(() => {
      this.#dropped -= 1
    })
  }

  #image(source: string, description: string): void {
    const href = safeHref(source)
    const name = description || href
    if (href === '' || this.#open.some(({ tag }) => tag === 'a')) return this.text(name)
    this.#html += `<a href="${href}">${escapedText(name)}</a>`
    this.#text += `${decodeEntities(name)} (${decodeEntities(href)})`
  }

  /** Also closes what was left open within it. */
  #close(entry: Opened): void {
    while (this.#open.includes(entry)) this.#closeLast()
  }

  #closeLast(): void {
    const last = this.#open.pop()
    if (!last) return
    this.#html += `</${last.tag}>`
    if (last.href !== '' && !this.#text.endsWith(decodeEntities(last.href)))
      this.#text += ` (${decodeEntities(last.href)})`
    this.#breakLine(last.tag)
  }

  #breakLine(tag: string): void {
    if (blockTags.test(tag)) this.#text += '\n\n'
    else if (lineTags.test(tag)) this.#text += '\n'
  }
}

const startTag = ({ tag, href }: Opened): string => (href === '' ? `<${tag}>` : `<${tag} href="${href}">`)

/**
 * Returns the address as written in the source, where characters may be entities: what begins with a safe scheme has it. Empty: not safe.
 */
const safeHref = (href: string): string => (safeAddress.test(href.trim()) ? href.trim() : '')

/** Escapes every character that could begin or end a tag. Entities stay as they are written. */
const escapedText = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Decodes entities for the text of a mail; rare names stay as they are written. */
const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

function tags(...names: readonly string[]): ReadonlySet<string> {
  return new Set(names.join(' ').split(' '))
}
