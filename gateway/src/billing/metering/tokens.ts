import type { PromptShape } from '@tollgate/dialects'

import { nextTurn } from '../../platform/time/timers'

/** What OpenAI adds around each message and around all of them. */
const perMessage = 3
const perRole = 1
const perName = 1
const perPrompt = 3
const perTool = 8
/** What a tool call adds to the text of a response. */
const perToolCall = 7

/** An image at low detail. */
const lowDetailImage = 85
/** Any other image, as one of 1024 x 1024: 4 tiles. Its size is not known without fetching it. */
const image = 765
const audio = 100
const file = 5000

/** Returns what images and recordings of typical size count for. */
export const mediaEstimate = (prompt: PromptShape): number =>
  prompt.lowDetailImages * lowDetailImage + prompt.images * image + prompt.audios * audio

/** What a prompt has besides text. */
const otherTokens = (prompt: PromptShape): number =>
  mediaEstimate(prompt) + (prompt.files - (prompt.textFiles?.length ?? 0)) * file + prompt.tokenIds

/** Four letters are a token, and so is a character of three bytes: a file counts as if it had these alone. */
const bytesPerToken = 3
const base64Bytes = 3 / 4

/** What the form of a prompt adds. */
const formTokens = (prompt: PromptShape): number =>
  (prompt.messages === 0 ? 0 : perPrompt) +
  prompt.messages * (perMessage + perRole) +
  prompt.names * perName +
  prompt.tools.length * perTool

/**
 * Estimates how many tokens a text has, without a tokenizer and in negligible time: one token per four ASCII characters, half of one per
 * letter of two bytes, one per character of three.
 */
export function estimateTokens(text: string): number {
  const extraBytes = Buffer.byteLength(text) - text.length
  const wide = Math.min(extraBytes / 2, text.length)
  return Math.ceil((text.length - wide) / 4 + wide)
}

/** Estimates how many tokens a prompt has, for the reservation on the path of a call. */
export function estimatePromptTokens(prompt: PromptShape): number {
  let tokens = formTokens(prompt) + otherTokens(prompt)
  for (const text of prompt.texts) tokens += estimateTokens(text)
  for (const content of prompt.textFiles ?? []) tokens += Math.ceil((content.length * base64Bytes) / bytesPerToken)
  for (const tool of prompt.tools) tokens += Math.ceil(jsonLength(tool) / 4)
  return tokens
}

/** Estimates the length of a value's JSON. */
function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 5
  let length = 2
  if (Array.isArray(value)) for (const item of value) length += jsonLength(item)
  else for (const [name, member] of Object.entries(value)) length += name.length + 4 + jsonLength(member)
  return length
}

/** Resolves with the number of tokens of a text for a model. Counting a long text yields to other work. */
export async function countTokens(text: string, model: string): Promise<number> {
  const counter = await counterFor(model)
  return counter.count(text)
}

/** Resolves with the number of tokens of a prompt: its texts, and what their form and other media add. */
export async function countPromptTokens(prompt: PromptShape, model: string): Promise<number> {
  const counter = await counterFor(model)
  let tokens = formTokens(prompt) + otherTokens(prompt)
  for (const text of prompt.texts) tokens += await counter.count(text)
  for (const content of prompt.textFiles ?? []) tokens += await counter.count(Buffer.from(content, 'base64').toString())
  for (const tool of prompt.tools) tokens += await counter.count(JSON.stringify(tool) ?? '')
  return tokens
}

/** Resolves with the number of tokens of a response. */
export const countCompletionTokens = async (text: string, toolCalls: number, model: string): Promise<number> =>
  (await countTokens(text, model)) + toolCalls * perToolCall

/** Every tokenizer is quadratic on long runs of one kind of character, so texts are counted in slices. */
const sliceLength = 2000
/** Slices counted before yielding to other work: about a millisecond. */
const slicesAtOnce = 4

interface Counter {
  count(text: string): Promise<number>
}

/** A charge must not fail because a tokenizer cannot be loaded. */
const roughly: Encoding = { countTokens: estimateTokens }

async function counterFor(model: string): Promise<Counter> {
  const encoding = await loadEncoding(model).catch(() => roughly)
  let slices = 0
  return {
    async count(text) {
      let tokens = 0
      for (let start = 0; start < text.length;) {
        const end = sliceEnd(text, start)
        tokens += encoding.countTokens(text.slice(start, end))
        start = end
        slices += 1
        if (slices % slicesAtOnce === 0) await nextTurn()
      }
      return tokens
    },
  }
}

/** Returns the end of a slice, not in the middle of a character. */
function sliceEnd(text: string, start: number): number {
  const end = Math.min(start + sliceLength, text.length)
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff && end - 1 > start ? end - 1 : end
}

/** The part of a tokenizer that is used. */
interface Encoding {
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
const loadEncoding = (model: string): Promise<Encoding> => (usesNewerEncoding(model) ? o200k() : cl100k())
