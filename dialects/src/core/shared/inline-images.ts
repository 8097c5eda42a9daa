/** A piece of text in which a picture begins is longer. */
export const minImageLength = 64
/** Slashes may be escaped, as in JSON that PHP writes. */
const beginning = /data:image\\?\/[\w.+-]{1,32};base64,/y

/**
 * Finds pictures in a text that comes in pieces: base64 in a data URL, which models that draw put into Markdown. It is neither
 * kept nor counted as text.
 */
export class InlineImages {
  count = 0
  #isInside = false

  /** Whether the next piece goes on with a picture. */
  get isInside(): boolean {
    return this.#isInside
  }

  /** Calls `keep` with each part of the text between `start` and `end` that is not base64 of a picture. */
  around(text: string, start: number, end: number, keep: (from: number, to: number) => void): void {
    let at = start
    while (at < end) {
      if (this.#isInside) {
        at = endOfBase64(text, at, end)
        if (at < end) this.#isInside = false
        continue
      }
      const found = this.#next(text, at, end)
      keep(at, found)
      at = found
    }
  }

  /** Returns where the base64 of the next picture begins; `end` when there is none. */
  #next(text: string, from: number, end: number): number {
    for (let at = text.indexOf('data:image', from); at >= 0 && at < end; at = text.indexOf('data:image', at + 10)) {
      beginning.lastIndex = at
      if (!beginning.test(text) || beginning.lastIndex > end) continue
      this.#isInside = true
      this.count += 1
      return beginning.lastIndex
    }
    return end
  }
}

function endOfBase64(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBase64(text.charCodeAt(at))) at += 1
  return at
}

/** Letters, digits and `+/=-_`; a backslash escapes a slash. */
const isBase64 = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x2f && code <= 0x39) ||
  code === 0x2b ||
  code === 0x3d ||
  code === 0x2d ||
  code === 0x5f ||
  code === 0x5c

/** What an answer says, without the pictures in it. Most answers are never asked for it. */
export class AnswerWords {
  readonly #texts: readonly string[]
  #read: { readonly text: string; readonly images: number } | null = null

  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  get text(): string {
    return (this.#read ??= withoutImages(this.#texts.join(''))).text
  }

  get images(): number {
    return (this.#read ??= withoutImages(this.#texts.join(''))).images
  }
}

function withoutImages(text: string): { readonly text: string; readonly images: number } {
  const images = new InlineImages()
  const pieces: string[] = []
  images.around(text, 0, text.length, (from, to) => pieces.push(text.slice(from, to)))
  return { text: images.count === 0 ? text : pieces.join(''), images: images.count }
}
