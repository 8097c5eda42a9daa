import { efforts, type Effort } from '../../core/neutral/call'

/** What a model of the vendor takes, by its name. */
export interface ClaudeTraits {
  /** `budget`: a number of tokens; `both`: that or adaptive; `adaptive`: that alone; `none`: it does not think. */
  readonly thinking: 'none' | 'budget' | 'both' | 'adaptive'
  /** It takes `adaptive`, or ignores it. */
  readonly takesAdaptive: boolean
  /** Its thinking cannot be switched off. */
  readonly alwaysThinks: boolean
  /** The `thinking.type` by which it does not think before it answers. */
  readonly unthinking: 'disabled' | 'between_tools'
  /** It refuses not to think while its effort is above `high`. */
  readonly thinksAboveHigh: boolean
  /** It refuses to be made to call a tool. */
  readonly refusesForcedTool: boolean
  /** It knows a screen by the toolset alone, and refuses the tools before it. */
  readonly needsComputerToolset: boolean
  /** It refuses to go on with an answer that is begun for it. */
  readonly refusesPrefill: boolean
  /** It refuses temperature, top_p and top_k. */
  readonly refusesSampling: boolean
  /** It refuses temperature and top_p together. */
  readonly takesOneSampler: boolean
  /** An answer can be held to a schema, and tools can be strict. */
  readonly hasStructuredOutput: boolean
  /** The efforts that it takes, in their order; none: it refuses to be told one. */
  readonly efforts: readonly Effort[]
  /** It takes an effort in the middle of a conversation. */
  readonly takesTurnEfforts: boolean
  /** The most tokens of an answer where a client does not say. */
  readonly defaultMaxTokens: number
}

const usualMaxTokens = 8192
const oldMaxTokens = 4096

/** `claude-opus-4-6`, `anthropic.claude-sonnet-5-v1:0`, `claude-haiku-4-5@20251001`: a family, then its version. */
const named = /claude-[a-z]{1,20}-(\d{1,2})(?:[-.](\d{1,2}))?(?![\d.])/
/** `claude-3-7-sonnet-20250219`: the version first, as it was before the fourth. */
const numbered = /claude-(?:instant-)?v?(\d)(?:[-.](\d))?(?!\d)/

/** The version as one number, 406 for 4-6; null for names of other makers, whose models are taken to do everything. */
function versionOf(model: string): number | null {
  const match = named.exec(model) ?? numbered.exec(model)
  if (match) return Number(match[1]) * 100 + Number(match[2] ?? 0)
  // The first of its family came without a number, and behaves as those after it.
  return model.includes('claude-mythos') ? 500 : null
}

const isFable = /claude-(?:fable|mythos)/
const isOpus = /claude-opus/
const isSonnet = /claude-sonnet/
const isHaiku = /claude-haiku/

const fromLow: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']
const without = (...words: readonly Effort[]) => fromLow.filter((word) => !words.includes(word))

/** https://platform.claude.com/docs/en/build-with-claude/effort */
function effortsOf(model: string, version: number): readonly Effort[] {
  if (version >= 407) return model.includes('mythos-preview') ? without('xhigh') : fromLow
  if (version >= 406) return without('xhigh')
  return isOpus.test(model) && version === 405 ? without('xhigh', 'max') : []
}

/** An effort as a model knows it: the least that is not below it, or else its most; undefined: it knows none. */
export const takenEffort = (effort: Effort, taken: readonly Effort[]): Effort | undefined =>
  taken.find((word) => efforts.indexOf(word) >= efforts.indexOf(effort)) ?? taken.at(-1)

/**
 * https://platform.claude.com/docs/en/about-claude/models/overview, …/build-with-claude/thinking-troubleshooting,
 * …/models/opus-5-5/whats-new-opus-5-5, …/models/sonnet-5-5/whats-new-sonnet-5-5, …/models/haiku-5-5/whats-new-haiku-5-5,
 * …/models/fable-5-2/whats-new-fable-5-2, …/models/opus-5/migration-guide, …/build-with-claude/effort-per-message and
 * …/agents-and-tools/tool-use/computer-use-tool
 */
export function claudeTraits(model: string): ClaudeTraits {
  const version = versionOf(model)
  if (version === null) return compatible
  const isSince = (family: RegExp, first: number) => family.test(model) && version >= first
  const isOpus5 = isSince(isOpus, 500) && version < 505
  return {
    takesAdaptive: version >= 406,
    alwaysThinks: isFable.test(model) || isSince(isOpus, 505),
    unthinking: isSince(isSonnet, 505) ? 'between_tools' : 'disabled',
    thinksAboveHigh: isOpus5 || isSince(isHaiku, 505),
    refusesForcedTool: isSince(isFable, 501) || isSince(isOpus, 505) || isSince(isSonnet, 505),
    needsComputerToolset: version >= (isFable.test(model) ? 502 : 505),
    efforts: effortsOf(model, version),
    takesTurnEfforts: isSince(isFable, 501) || isSince(isOpus, 500) || isSince(isSonnet, 505) || isSince(isHaiku, 505),
    thinking: version >= 407 ? 'adaptive' : version >= 406 ? 'both' : version >= 307 ? 'budget' : 'none',
    refusesPrefill: version >= 406,
    refusesSampling: version >= 407,
    takesOneSampler: version >= 401,
    hasStructuredOutput: version >= 405,
    defaultMaxTokens: version < 305 ? oldMaxTokens : usualMaxTokens,
  }
}

/** Other makers who speak this dialect follow its older, plainer form. */
const compatible: ClaudeTraits = {
  thinking: 'budget',
  takesAdaptive: true,
  alwaysThinks: false,
  unthinking: 'disabled',
  thinksAboveHigh: false,
  refusesForcedTool: false,
  needsComputerToolset: false,
  refusesPrefill: false,
  refusesSampling: false,
  takesOneSampler: false,
  hasStructuredOutput: true,
  efforts: fromLow,
  takesTurnEfforts: false,
  defaultMaxTokens: usualMaxTokens,
}
