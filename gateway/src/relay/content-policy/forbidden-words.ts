import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import { createWordMatcher, type WordMatcher } from './word-matcher'

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
  if (!forbidsWords(catalog)) return
  const { SensitiveWords: lines } = catalog.options
  let matcher = matchers.get(lines)
  if (!matcher) matchers.set(lines, (matcher = createWordMatcher(lines)))
  const words = matcher.findAtOnce(texts) ?? (await matcher.find(texts))
  if (words.length > 0) throw new AppError('request.sensitive_words', { params: { words: words.join(', ') } })
}
