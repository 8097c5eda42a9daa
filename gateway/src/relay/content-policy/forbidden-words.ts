import { AppError } from '../../platform/app-error'
import type { Catalog } from '../../channels/catalog/catalog'
import { createWordMatcher, isPattern, type WordMatcher } from './word-matcher'

/** One matcher per list of words; the list is the same object until the option changes. */
const matchers = new WeakMap<readonly string[], WordMatcher>()

/** Returns whether the operator forbids words in prompts. */
export const forbidsWords = ({ options }: Pick<Catalog, 'options'>): boolean =>
  options.CheckSensitiveEnabled && options.CheckSensitiveOnPromptEnabled && options.SensitiveWords.length > 0

/**
 * Refuses texts that contain words the operator forbids. Called once it is known that the call can be paid: searching a long text takes
 * seconds of processor time.
 * @throws AppError `request.sensitive_words`.
 */
export async function refuseForbiddenWords(catalog: Pick<Catalog, 'options'>, texts: readonly string[]): Promise<void> {
  if (!refusesAtOnce(catalog, texts)) refuse(await matcherOf(catalog).find(texts))
}

/**
 * Does the same for short texts. Returns false for texts that take too long to be searched at once.
 * @throws AppError `request.sensitive_words`.
 */
export function refusesAtOnce(catalog: Pick<Catalog, 'options'>, texts: readonly string[]): boolean {
  if (!forbidsWords(catalog)) return true
  const words = matcherOf(catalog).findAtOnce(texts)
  if (words === null) return false
  refuse(words)
  return true
}

function matcherOf({ options: { SensitiveWords: lines } }: Pick<Catalog, 'options'>): WordMatcher {
  const known = matchers.get(lines)
  if (known) return known
  const matcher = createWordMatcher(lines)
  matchers.set(lines, matcher)
  return matcher
}

function refuse(words: readonly string[]): void {
  if (words.length === 0) return
  const named = (pattern: string) => [...new Set(words.map((word) => (isPattern(word) ? pattern : word)))].join(', ')
  // Callers learn which words are not allowed, but not by which patterns the operator finds others.
  const shown = { en: named('a forbidden pattern'), zh: named('违禁内容') }
  throw new AppError('request.sensitive_words', { params: { words: shown } })
}
