/** Bedrock's inference profiles and vendors: `us.anthropic.claude-…`. */
const bedrockPrefix =
  /^(?:(?:us-gov|us|eu|apac|global|jp|au|ca)\.)?(?:(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|stability|writer|zai)\.)/
/** Bedrock's versions: `…-v1:0`. */
const bedrockVersion = /-v?\d+:\d+(?::\w+)?$/
/** Anthropic's own names have no dots, those of many hosts do. */
const claudeVersion = /^(claude-.*\d)\.(\d)/
/** A host's variant of a model: `…:free`, `…:latest`, `…:70b`. */
const variant = /:[\w.-]*$/
const revision = /-(?:\d{4}(?:-\d{2}-\d{2}|\d{4}|\d{2})?|\d{3}|\d{2}-\d{2}(?:\d{2})?)$/
const stage = /-(?:latest|preview|exp|experimental|beta|default)$/
/** The reasoning effort that some names end with. */
const effort = /-(?:thinking(?:-\d+)?|nothinking|none|minimal|low|medium|high|xhigh)$/

/** Returns a model's name as the catalog writes it: in lower case, without the path or prefix of a host. */
export function modelKey(name: string): string {
  const lower = name.trim().toLowerCase()
  const bare = lower.slice(lower.lastIndexOf('/') + 1).replace('@', '-')
  if (bare.startsWith('ft:')) return bare.split(':')[1] ?? bare
  return bare.replace(bedrockPrefix, '').replace(bedrockVersion, '').replace(claudeVersion, '$1-$2')
}

/**
 * Returns the names a model may be listed under, the most specific first: its own, then without a host's variant, the
 * effort, the date of a snapshot and the stage of a release, as often as they occur.
 */
export function* modelKeys(name: string): Generator<string> {
  let key = modelKey(name)
  yield key
  for (const ending of [variant, effort]) {
    const shorter = key.replace(ending, '')
    if (shorter === key || shorter === '') continue
    key = shorter
    yield key
  }
  for (;;) {
    const shorter = key.replace(stage, '').replace(revision, '')
    if (shorter === key || shorter === '') return
    key = shorter
    yield key
  }
}

const embeddingNames = /embed|(?:^|\/)(?:m3e|bge|gte|e5|multilingual-e5|all-minilm)(?:-|$)/i

/** Returns whether a model embeds texts, by its name: lists and vendors take many of these for models that chat. */
export const isEmbeddingName = (name: string): boolean => embeddingNames.test(name) && !/rerank/i.test(name)

/** Models that are all served and priced as one entry: every custom GPT has a name of its own. */
const familyEntries = ['gpt-4-gizmo-*', 'gpt-4o-gizmo-*'] as const

interface ModelFamily {
  /** The name of its channel models and prices, such as `gpt-4-gizmo-*`. */
  readonly entry: string
  /** Where the name without a channel's prefix begins. */
  readonly start: number
}

/** Returns the family of a model, whose name may have a channel's prefix; null for most models and for the entry itself. */
export function modelFamilyOf(model: string): ModelFamily | null {
  for (const entry of familyEntries) {
    const start = model.indexOf(entry.slice(0, -1))
    if (start >= 0 && !model.endsWith(entry)) return { entry, start }
  }
  return null
}
