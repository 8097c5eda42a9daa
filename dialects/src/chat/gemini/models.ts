/** What a model takes, by its name. */
export interface GeminiTraits {
  /** How it is told to think: by a number of tokens, by a level, or not at all. */
  readonly thinking: 'none' | 'budget' | 'level'
  /** The tokens it may think. */
  readonly budget: { readonly min: number; readonly max: number; readonly canStop: boolean }
  /** The levels it knows, the least first. */
  readonly levels: readonly ThinkingLevel[]
  /** It takes JSON schemas as they are; others a part of OpenAPI's. */
  readonly takesJsonSchema: boolean
  /** From the third generation on: calls in the history must be signed, and results may hold pictures. */
  readonly isThird: boolean
}

export type ThinkingLevel = 'minimal' | 'low' | 'medium' | 'high'

const version = /gemini-(\d+)(?:\.(\d))?/
/** The names that lead to the newest model of a family. */
const latest = /gemini-(?:pro|flash|flash-lite)-latest$/
const notThinking = /-image|-tts|-audio|learnlm|gemma|embedding/

/** https://ai.google.dev/gemini-api/docs/thinking and https://ai.google.dev/gemini-api/docs/thought-signatures */
export function geminiTraits(model: string): GeminiTraits {
  const match = version.exec(model)
  // Names without a version are those of the latest models, or of followers that do as those.
  const generation = match ? Number(match[1]) + Number(match[2] ?? 0) / 10 : null
  const isThird = generation === null ? model.startsWith('gemini') : generation >= 3
  const isOld = generation !== null && generation < 2.5
  const hasLevels = (generation !== null && isThird) || latest.test(model)
  return {
    thinking: isOld || notThinking.test(model) ? 'none' : hasLevels ? 'level' : 'budget',
    budget: budgetOf(model),
    levels: levelsOf(model, generation),
    takesJsonSchema: generation === null || generation >= 2,
    isThird,
  }
}

function budgetOf(model: string): GeminiTraits['budget'] {
  if (model.includes('flash-lite')) return { min: 512, max: 24_576, canStop: true }
  if (model.includes('flash')) return { min: 1, max: 24_576, canStop: true }
  return { min: 128, max: 32_768, canStop: false }
}

/** https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking: since 3.7 Flash, too, has no `minimal`. */
function levelsOf(model: string, generation: number | null): readonly ThinkingLevel[] {
  if (generation === 3 && !model.includes('flash')) return ['low', 'high']
  const isNewFlash = !model.includes('lite') && (generation === null || generation >= 3.7)
  return model.includes('flash') && !isNewFlash ? ['minimal', 'low', 'medium', 'high'] : ['low', 'medium', 'high']
}
