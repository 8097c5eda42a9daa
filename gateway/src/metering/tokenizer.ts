/** What is used of a tokenizer. */
export interface Encoding {
  countTokens(text: string): number
}

const newer = /^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o\d)/

/** Whether OpenAI's newer vocabulary fits a model best; the older one stands in for all other vendors'. */
export const usesNewerEncoding = (model: string): boolean => newer.test(model.slice(model.lastIndexOf('/') + 1))

/** Text that looks like a control token is plain text here. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

interface Tokenizer {
  readonly countTokens: (text: string, options: typeof asText) => number
}

const plain = ({ countTokens }: Tokenizer): Encoding => ({ countTokens: (text) => countTokens(text, asText) })

/** Loads when first asked and keeps what it got; a failure is not kept, it may have been a want of file descriptors. */
export function keptOnceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return async () => {
    kept ??= load()
    try {
      return await kept
    } catch (error) {
      kept = undefined
      throw error
    }
  }
}

const o200k = keptOnceLoaded(async () => plain(await import('gpt-tokenizer/encoding/o200k_base')))
const cl100k = keptOnceLoaded(async () => plain(await import('gpt-tokenizer/encoding/cl100k_base')))

/** The tokenizer of a model: megabytes of ranks. */
export const loadEncoding = (model: string): Promise<Encoding> => (usesNewerEncoding(model) ? o200k() : cl100k())
