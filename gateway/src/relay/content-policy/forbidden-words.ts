import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import { createWordMatcher, type WordMatcher } from './word-matcher'

/** One matcher per list of words; the list is the same object until the option changes. */
const matchers = new WeakMap<readonly string[], WordMatcher>()

/** Refuses texts that contain words the operator forbids. @throws AppError `request.sensitive_words`. */
export function refuseForbiddenWords({ options }: Pick<Catalog, 'options'>, texts: readonly string[]): void {
  if (!options.CheckSensitiveEnabled || !options.CheckSensitiveOnPromptEnabled) return
  if (options.SensitiveWords.length === 0) return
  let matcher = matchers.get(options.SensitiveWords)
  if (!matcher) matchers.set(options.SensitiveWords, (matcher = createWordMatcher(options.SensitiveWords)))
  const words = matcher.find(texts.join('\n'))
  if (words.length > 0) throw new AppError('request.sensitive_words', { params: { words: words.join(', ') } })
}
