/** A ratio for the models it matches. */
interface CompletionRule {
  readonly matches: (model: string) => boolean
  readonly ratio: number
}

const exactly =
  (...names: readonly string[]) =>
  (model: string) =>
    names.includes(model)
const starts =
  (...prefixes: readonly string[]) =>
  (model: string) =>
    prefixes.some((prefix) => model.startsWith(prefix))
const contains =
  (...parts: readonly string[]) =>
  (model: string) =>
    parts.some((part) => model.includes(part))
const ends =
  (prefix: string, ...endings: readonly string[]) =>
  (model: string) =>
    model.startsWith(prefix) && endings.some((ending) => model.endsWith(ending))

const rule = (matches: CompletionRule['matches'], ratio: number): CompletionRule => ({ matches, ratio })

/** Resold bundles have prices of their own. */
const isBundle = (model: string) => model.endsWith('-all') || model.includes('-gizmo-')

const openAi: readonly CompletionRule[] = [
  rule(exactly('gpt-4o-2024-05-13'), 3),
  rule(starts('gpt-4o'), 4),
  rule(starts('gpt-4.5-preview'), 2),
  // Four times, which a rule for all of "gpt-4" must not hide.
  rule(starts('gpt-4.1'), 4),
  rule(starts('gpt-4-turbo', 'gpt-4-1106', 'gpt-4-0125', 'gpt-4-vision'), 3),
  rule(starts('gpt-4'), 2),
  rule(starts('o1', 'o3', 'o4'), 4),
  rule(starts('chatgpt-4o-latest'), 3),
  rule((model) => /^gpt-5\.(?:[4-9]|\d\d)/.test(model), 6),
  rule(starts('gpt-5'), 8),
  rule(exactly('gpt-3.5-turbo'), 3),
  rule(ends('gpt-3.5', '0125'), 3),
  rule(ends('gpt-3.5', '1106'), 2),
  rule(starts('gpt-3.5'), 4 / 3),
]

const others: readonly CompletionRule[] = [
  rule(contains('claude-3', 'claude-sonnet-4', 'claude-opus-4', 'claude-haiku-4'), 5),
  rule(contains('claude-instant-1', 'claude-2'), 3),
  rule(starts('mistral-'), 3),
  rule(starts('gemini-1.0-pro', 'gemini-1.5-pro'), 4),
  rule(starts('gemini-2.5-pro'), 8),
  rule(ends('gemini-2.5-flash-preview', '-nothinking'), 4),
  rule(starts('gemini-2.5-flash-preview'), 3.5 / 0.15),
  rule(starts('gemini-2.5-flash-lite'), 4),
  rule(starts('gemini-2.5-flash'), 2.5 / 0.3),
  rule(starts('gemini-3-pro'), 6),
  // It embeds and generates nothing.
  rule(starts('gemini-embedding'), 1),
  rule(starts('gemini'), 4),
  rule(exactly('command-r'), 3),
  rule(exactly('command-r-plus'), 5),
  rule(exactly('command-r-08-2024', 'command-r-plus-08-2024'), 4),
  rule(starts('command'), 4),
  rule((model) => /^deepseek-(?:chat|reasoner)$/i.test(model), 4),
  rule(starts('ERNIE-Speed-', 'ERNIE-Lite-', 'ERNIE-Character', 'ERNIE-Functions'), 2),
  rule(exactly('llama2-70b-4096'), 0.8 / 0.64),
  rule(exactly('llama3-8b-8192'), 2),
  rule(exactly('llama3-70b-8192'), 0.79 / 0.59),
]

const single: Readonly<Record<string, number>> = {
  'gpt-4-gizmo-*': 2,
  'gpt-4o-gizmo-*': 3,
  'gpt-4-all': 2,
  'gpt-image-1': 8,
  'grok-3': 5,
  'grok-3-beta': 5,
  'grok-3-fast': 5,
  'grok-3-fast-beta': 5,
  'grok-4': 5,
  'grok-4-0709': 5,
  'grok-code-fast-1': 7.5,
  'grok-4-1-fast-reasoning': 2.5,
  'grok-4-1-fast-non-reasoning': 2.5,
  'grok-3-mini': 5 / 3,
  'grok-3-mini-beta': 5 / 3,
  'grok-3-mini-fast': 20 / 3,
  'grok-3-mini-fast-beta': 20 / 3,
}

const singles = new Map(Object.entries(single))

/**
 * What a completion token costs against a prompt token where the operator set nothing: an entry of its own, else the first
 * rule that matches. Rules look at the start of a name, so names with a vendor before them match none.
 */
export function defaultCompletionRatio(model: string): number | undefined {
  const own = singles.get(model)
  if (own !== undefined || model.includes('/')) return own
  const ofOpenAi = isBundle(model) ? undefined : openAi.find(({ matches }) => matches(model))
  return (ofOpenAi ?? others.find(({ matches }) => matches(model)))?.ratio
}
