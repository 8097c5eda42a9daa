import { geminiTraits, isObject, type JsonObject } from '@tollgate/dialects'
import type { ShapedBody, Target } from '../provider'
import { withMember, withoutMembers } from '../shape'

/** They answer with pictures only when asked to. */
const drawsOnRequest = /^gemini-2\.0-flash-(?:exp|preview)(?:-image-generation)?$/

const safetySettings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((name) => ({
  category: `HARM_CATEGORY_${name}`,
  threshold: 'OFF',
}))

/** The model's name stands in the address alone. */
export function shapeGemini(body: JsonObject, target: Target): ShapedBody {
  const { body: thinking, ...rest } = shapeThinking(withoutMembers(body, 'model', 'stream'), target)
  if (isTranslated(target)) return { ...rest, body: withDefaults(thinking, target) }
  const taken = withTakenLevel(thinking, target)
  return taken === thinking ? { ...rest, body: thinking } : { ...rest, body: taken, leftOut: [noThought] }
}

const noThought = 'an answer without thinking'

/** Models that cannot but think refuse no tokens of it, and the level `minimal`. https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking */
function withTakenLevel(body: JsonObject, { model }: Target): JsonObject {
  const config = body['generationConfig']
  const thinking = isObject(config) ? config['thinkingConfig'] : undefined
  if (!isObject(config) || !isObject(thinking)) return body
  const { thinking: kind, levels } = geminiTraits(splitBudget(model).model)
  const isMinimal = String(thinking['thinkingLevel']).toLowerCase() === 'minimal' || thinking['thinkingBudget'] === 0
  if (!isMinimal || kind !== 'level' || levels.includes('minimal')) return body
  const thinkingConfig = { ...withoutMembers(thinking, 'thinkingBudget'), thinkingLevel: levels[0] }
  return withMember(body, 'generationConfig', { ...config, thinkingConfig })
}

/** A client of another dialect cannot speak of these, and does not expect its answers to be held back. */
const isTranslated = ({ dialectHeaders }: Target): boolean => dialectHeaders === undefined

function withDefaults(body: JsonObject, { model }: Target): JsonObject {
  const safe = Array.isArray(body['safetySettings']) ? body : withMember(body, 'safetySettings', safetySettings)
  if (!drawsOnRequest.test(splitBudget(model).model)) return safe
  const config = isObject(safe['generationConfig']) ? safe['generationConfig'] : {}
  if (config['responseModalities'] !== undefined) return safe
  return withMember(safe, 'generationConfig', { ...config, responseModalities: ['TEXT', 'IMAGE'] })
}

/** What the end of a model's name asks for. */
interface NamedBudget {
  /** The name without that end. */
  readonly model: string
  readonly thinking?: 'on' | 'off' | { readonly budget: number } | { readonly level: string }
}

/** Budgets a family takes. https://ai.google.dev/gemini-api/docs/thinking */
interface Budgets {
  readonly min: number
  readonly max: number
}

const budgetEnd = /-thinking-(\d{1,6})$/
const levelEnd = /-(minimal|low|medium|high)$/
/** From the third generation on, models take how hard to think instead of how long. */
const hasLevels = /^gemini-(?:[3-9]|\d{2})/
/** The part of the limit that thinking may take. */
const budgetShare = 0.6

/** `-thinking`, `-thinking-2048` and `-nothinking`; `-low`, `-high` and the like where the model knows levels. */
export function splitBudget(name: string): NamedBudget {
  const budget = budgetEnd.exec(name)
  if (budget) return { model: name.slice(0, budget.index), thinking: { budget: Number(budget[1]) } }
  if (name.endsWith('-nothinking')) return { model: name.slice(0, -'-nothinking'.length), thinking: 'off' }
  if (name.endsWith('-thinking')) return { model: name.slice(0, -'-thinking'.length), thinking: 'on' }
  const level = hasLevels.test(name) ? levelEnd.exec(name) : null
  if (level?.[1] === undefined) return { model: name }
  return { model: name.slice(0, level.index), thinking: { level: level[1] } }
}

/** Thinking as the name asks for it. What the client itself says of it wins. */
export function shapeThinking(body: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  const { model, thinking } = splitBudget(target.model)
  if (thinking === undefined) return { body }
  const reasoningEffort = typeof thinking === 'object' && 'level' in thinking ? thinking.level : undefined
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : {}
  const shaped = isObject(config['thinkingConfig'])
    ? body
    : withMember(body, 'generationConfig', { ...config, thinkingConfig: configOf(model, thinking, config) })
  return { body: shaped, ...(reasoningEffort !== undefined && { reasoningEffort }) }
}

function configOf(model: string, thinking: NonNullable<NamedBudget['thinking']>, config: JsonObject): JsonObject {
  const { min, max } = budgetsOf(model)
  if (thinking === 'off') return offOf(model, min)
  if (typeof thinking === 'object' && 'level' in thinking)
    return { includeThoughts: true, thinkingLevel: thinking.level }
  const limit = config['maxOutputTokens']
  const share = typeof limit === 'number' && !hasLevels.test(model) ? Math.floor(limit * budgetShare) : undefined
  const requested = thinking === 'on' ? share : thinking.budget
  // Without a number the model decides by itself.
  if (requested === undefined) return { includeThoughts: true }
  return { includeThoughts: true, thinkingBudget: Math.min(Math.max(requested, min), max) }
}

/** As little as the model can. */
function offOf(model: string, minBudget: number): JsonObject {
  if (!hasLevels.test(model)) return { thinkingBudget: model.includes('pro') ? minBudget : 0 }
  return { thinkingLevel: geminiTraits(model).levels[0] }
}

function budgetsOf(model: string): Budgets {
  if (model.includes('flash-lite')) return { min: 512, max: 24_576 }
  if (model.includes('pro')) return { min: 128, max: 32_768 }
  return { min: 0, max: 24_576 }
}
