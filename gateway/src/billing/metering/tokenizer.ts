/** The part of a tokenizer that is used. */
export interface Encoding {
  countTokens(text: string): number
}

const newer = /^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o\d)/

/** Returns whether OpenAI's newer vocabulary fits a model best; the older one is used for all other vendors' models. */
export const usesNewerEncoding = (model: string): boolean => newer.test(model.slice(model.lastIndexOf('/') + 1))

/** Text that looks like a control token is plain text here. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

interface Tokenizer {
  readonly countTokens: (text: string, options: typeof asText) => number
}

const plain = ({ countTokens }: Tokenizer): Encoding => ({ countTokens: (text) => countTokens(text, asText) })

/** Loads on first use and keeps the result; a failure is not kept, as it may have been a lack of file descriptors. */
export function cacheOnceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined
  return async () => {
    cached ??= load()
    try {
      return await cached
    } catch (error) {
      cached = undefined
      throw error
    }
  }
}

const o200k = cacheOnceLoaded(async () => plain(await import('gpt-tokenizer/encoding/o200k_base')))
const cl100k = cacheOnceLoaded(async () => plain(await import('gpt-tokenizer/encoding/cl100k_base')))

/** Resolves with the tokenizer of a model: megabytes of ranks. */
export const loadEncoding = (model: string): Promise<Encoding> => (usesNewerEncoding(model) ? o200k() : cl100k())
