/** What is used of a tokenizer. */
export interface Encoding {
  countTokens(text: string): number
}

const newer = /^(?:gpt-4o|chatgpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|o\d)/

/** Whether OpenAI's newer vocabulary fits a model best; the older one stands in for all other vendors'. */
export const usesNewerEncoding = (model: string): boolean => newer.test(model.slice(model.lastIndexOf('/') + 1))

let o200k: Promise<Encoding> | undefined
let cl100k: Promise<Encoding> | undefined

/** Text that looks like a control token is plain text here. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

/** The tokenizer of a model. Megabytes of ranks, so it is loaded when first needed and kept. */
export function loadEncoding(model: string): Promise<Encoding> {
  if (usesNewerEncoding(model)) {
    o200k ??= import('gpt-tokenizer/encoding/o200k_base').then(plain)
    return o200k
  }
  cl100k ??= import('gpt-tokenizer/encoding/cl100k_base').then(plain)
  return cl100k
}

interface Tokenizer {
  readonly countTokens: (text: string, options: typeof asText) => number
}

const plain = ({ countTokens }: Tokenizer): Encoding => ({ countTokens: (text) => countTokens(text, asText) })
