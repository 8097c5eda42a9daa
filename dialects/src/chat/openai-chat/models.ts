import { efforts, type Effort } from '../../core/neutral/call'

/** What a model behind this dialect takes, as far as its name shows. */
export interface ChatTraits {
  /** One of OpenAI's own, at a place that refuses members it does not know. */
  readonly isOpenAi: boolean
  /** It reads instructions wherever they stand; others want one message of them, at the beginning. */
  readonly takesLateInstructions: boolean
  /** The efforts it can be asked for, the least first. Null: not known. */
  readonly efforts: readonly Effort[] | null
  readonly takesStop: boolean
  readonly takesWebSearch: boolean
  /** Anthropic's marks are understood. */
  readonly takesCacheMarks: boolean
  /** OpenAI's marks are understood; its models before refuse them. */
  readonly takesBreakpoints: boolean
  /** Tools of free text are taken by Responses, and not as functions alone. */
  readonly takesFreeTools: boolean
  /** How OpenRouter calls the form of the vendor's signatures; null where signatures are of no use. */
  readonly signatures: string | null
}

const openAiName = /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d)/

const lateInstructions = /^openai\/|gpt-oss|deepseek/i

/** The first that fits counts. https://platform.openai.com/docs/api-reference/chat/create#chat_create-reasoning_effort */
const effortsByName: readonly (readonly [name: RegExp, efforts: readonly Effort[]])[] = [
  [/^o1-(?:mini|preview)/, []],
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-\d.*-chat/, []],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5-codex/, ['low', 'medium', 'high']],
  [/^gpt-5(?![.\d])/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1-codex-max/, ['low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.1-codex/, ['low', 'medium', 'high']],
  [/^gpt-5\.1(?!\d)/, ['none', 'low', 'medium', 'high']],
  [/^gpt-(?:5\.|[6-9]|1\d).*-pro/, ['medium', 'high', 'xhigh']],
  [/^gpt-(?:5\.|[6-9]|1\d).*-codex/, ['low', 'medium', 'high', 'xhigh']],
  [/^gpt-(?:6-astra|6\.|[7-9]|1\d)/, ['low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-6/, ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-5\.[6-9]/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-5\./, ['none', 'low', 'medium', 'high', 'xhigh']],
]

const formats: readonly (readonly [name: RegExp, format: string])[] = [
  [/claude/i, 'anthropic-claude-v1'],
  [/gemini/i, 'google-gemini-v1'],
  [/^openai\//, 'openai-responses-v1'],
  [/^x-ai\//, 'xai-responses-v1'],
  // Names with their vendor's are OpenRouter's.
  [/\/|minimax/i, 'unknown'],
]

export function chatTraits(model: string): ChatTraits {
  const isOpenAi = openAiName.test(model)
  const known = isOpenAi ? (first(effortsByName, model) ?? []) : null
  return {
    isOpenAi,
    takesLateInstructions: isOpenAi || lateInstructions.test(model),
    efforts: known,
    // https://platform.openai.com/docs/api-reference/chat/create#chat_create-stop
    takesStop: known === null || known.length === 0 || model.startsWith('o1'),
    takesWebSearch: !isOpenAi || model.includes('search'),
    takesCacheMarks: /claude|gemini|qwen|minimax|glm/i.test(model),
    // https://github.com/router-for-me/CLIProxyAPI/issues/3704
    takesFreeTools: !/^(?:x-ai\/)?grok-/.test(model),
    takesBreakpoints: /^(?:openai\/)?gpt-(?:5\.[6-9]|[6-9]|1\d)/.test(model),
    signatures: isOpenAi ? null : first(formats, model),
  }
}

const first = <T>(table: readonly (readonly [name: RegExp, value: T])[], model: string): T | null =>
  table.find(([name]) => name.test(model))?.[1] ?? null

/** The one of these efforts that comes nearest; of two as near, the greater. Null when there is none. */
export function nearestEffort(requested: Effort, among: readonly Effort[]): Effort | null {
  const distance = (effort: Effort) => Math.abs(efforts.indexOf(effort) - efforts.indexOf(requested))
  return among.reduce<Effort | null>(
    (best, effort) => (best === null || distance(effort) <= distance(best) ? effort : best),
    null,
  )
}
