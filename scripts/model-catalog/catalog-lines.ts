import { modelKey, modelKeys, writeEntry, type ModelEntry } from '@tollgate/models'

import type { Listing } from './sources'

/** Hosts that made the models they list, or those whose name matches. What they say of their own counts alone. */
export const makers: Readonly<Record<string, RegExp>> = {
  openai: /./,
  'text-completion-openai': /./,
  anthropic: /./,
  google: /^(gemini|gemma|veo|imagen)/,
  gemini: /./,
  'google-vertex': /^(gemini|gemma|veo|imagen)/,
  'vertex_ai-language-models': /^gemini/,
  mistral: /./,
  deepseek: /./,
  xai: /./,
  moonshotai: /./,
  'moonshotai-cn': /./,
  moonshot: /./,
  minimax: /./,
  'minimax-cn': /./,
  alibaba: /^(qwen|qwq|qvq|wan)/,
  'alibaba-cn': /^(qwen|qwq|qvq|wan)/,
  dashscope: /^(qwen|qwq|qvq|wan)/,
  zhipuai: /^(glm|cog)/,
  zai: /^(glm|cog)/,
  cohere: /./,
  cohere_chat: /./,
  perplexity: /^(sonar|pplx|r1-1776)/,
  volcengine: /^(doubao|seed)/,
  tencent: /^(hunyuan|hy)/,
  'tencent-tokenhub': /^(hunyuan|hy)/,
  stepfun: /^step/,
  xiaomi: /^mimo/,
  upstage: /^solar/,
  voyage: /./,
  jina_ai: /./,
}

/** Hosts whose names tell the kind of work in their last part: `flux/dev/image-to-image`. */
const anonymous: ReadonlySet<string> = new Set(['fal_ai'])

/** What stands before the name of a model that is listed once for each size of its pictures. */
const pictureSize = /^(?:(?:\w+\/)?\d+-x-\d+|\d+-steps|max-steps|hd|low|medium|high|standard)\//

/** The name is a model's own, not that of a size, a pattern or a kind of work. */
export const namesModel = ({ name, host }: Pick<Listing, 'name' | 'host'>): boolean =>
  !pictureSize.test(name) && !/\s|\*/.test(name) && !anonymous.has(host)

/**
 * Merges what the sources say into one line a model, in the order of their names. The maker's word counts where there is
 * one; among equals the largest limit, so that nobody is held to less than a host allows.
 */
export function catalogLines(listings: readonly Listing[]): string[] {
  const byKey = new Map<string, Listing[]>()
  for (const listing of listings) {
    if (!namesModel(listing)) continue
    const key = modelKey(listing.name)
    byKey.set(key, [...(byKey.get(key) ?? []), listing])
  }
  const entries = new Map([...byKey].map(([key, found]) => [key, merged(key, found)]))
  return [...entries.values()]
    .filter((entry) => isKnown(entry) && !isRepeated(entry, entries))
    .map(writeEntry)
    .sort()
}

function merged(name: string, all: readonly Listing[]): ModelEntry {
  const own = all.filter(({ host }) => makers[host]?.test(name) === true)
  const found = own.some(hasLimits) ? own : all
  const inputTokens = largest(found.map((listing) => listing.inputTokens))
  const contextTokens = largest([inputTokens, ...found.map((listing) => listing.contextTokens)])
  const [first] = found
  return {
    name,
    kind: found.find(({ kind }) => kind !== 'chat')?.kind ?? first?.kind ?? 'other',
    contextTokens,
    inputTokens: inputTokens === contextTokens ? null : inputTokens,
    outputTokens: largest(found.map((listing) => listing.outputTokens)),
    input: union(found.map(({ input }) => input)),
    output: union(found.map(({ output }) => output)),
    abilities: union(found.map(({ abilities }) => abilities)),
  }
}

const hasLimits = ({ contextTokens, inputTokens }: Listing): boolean => contextTokens !== null || inputTokens !== null

const largest = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const union = <Value>(lists: readonly (readonly Value[])[]): Value[] => [...new Set(lists.flat())]

const isKnown = ({ contextTokens, outputTokens, kind }: ModelEntry): boolean =>
  contextTokens !== null || outputTokens !== null || kind !== 'chat'

/** A snapshot or a host's variant that gives as much as the model it is one of. */
function isRepeated(entry: ModelEntry, entries: ReadonlyMap<string, ModelEntry>): boolean {
  const [, ...shorter] = modelKeys(entry.name)
  const base = shorter.map((key) => entries.get(key)).find((found) => found !== undefined && isKnown(found))
  if (base === undefined || base.kind !== entry.kind) return false
  return entry.outputTokens === null || entry.outputTokens === base.outputTokens
}
