/** What a model of the vendor takes, by its name. */
export interface ClaudeTraits {
  /** `budget`: a number of tokens; `both`: that or adaptive; `adaptive`: that alone; `none`: it does not think. */
  readonly thinking: 'none' | 'budget' | 'both' | 'adaptive'
  /** Its thinking cannot be switched off. */
  readonly alwaysThinks: boolean
  /** It refuses to be made to call a tool. */
  readonly refusesForcedTool: boolean
  /** It refuses to go on with an answer that is begun for it. */
  readonly refusesPrefill: boolean
  /** It refuses temperature, top_p and top_k. */
  readonly refusesSampling: boolean
  /** It refuses temperature and top_p together. */
  readonly takesOneSampler: boolean
  /** An answer can be held to a schema, and tools can be strict. */
  readonly hasStructuredOutput: boolean
  /** It knows the effort `xhigh`; the one before knows `max` in its place. */
  readonly hasExtraHigh: boolean
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

/** https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5; the others of its generation can be told not to think. */
const isFable = /claude-(?:fable|mythos)/
const isOpus = /claude-opus/

/** https://platform.claude.com/docs/en/about-claude/models/overview and …/build-with-claude/adaptive-thinking */
export function claudeTraits(model: string): ClaudeTraits {
  const version = versionOf(model)
  if (version === null) return compatible
  return {
    alwaysThinks: isFable.test(model) || (isOpus.test(model) && version >= 505),
    refusesForcedTool: (isFable.test(model) && version >= 501) || (isOpus.test(model) && version >= 505),
    thinking: version >= 407 ? 'adaptive' : version >= 406 ? 'both' : version >= 307 ? 'budget' : 'none',
    refusesPrefill: version >= 406,
    refusesSampling: version >= 407,
    takesOneSampler: version >= 401,
    hasStructuredOutput: version >= 405,
    hasExtraHigh: version >= 407,
    defaultMaxTokens: version < 305 ? oldMaxTokens : usualMaxTokens,
  }
}

/** Other makers who speak this dialect follow its older, plainer form. */
const compatible: ClaudeTraits = {
  thinking: 'budget',
  alwaysThinks: false,
  refusesForcedTool: false,
  refusesPrefill: false,
  refusesSampling: false,
  takesOneSampler: false,
  hasStructuredOutput: true,
  hasExtraHigh: false,
  defaultMaxTokens: usualMaxTokens,
}
