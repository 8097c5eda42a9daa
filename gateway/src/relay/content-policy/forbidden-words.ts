import type { RE2JS } from 're2js'

import { AppError } from '../../platform/app-error'
import type { Catalog } from '../../channels/catalog/catalog'
import { linearPattern } from '../../platform/text/linear-pattern'
import { nextTurn } from '../../platform/time/timers'
import { findWords } from './find-words'
import { textWindows, windowLength } from './text-windows'
import type { Context } from '../../context'
import type { Caller, IncomingCall } from '../call'

/** One matcher per list of words; the list is the same object until the option changes. */
const matchers = new WeakMap<readonly string[], WordMatcher>()

/** Returns whether the operator forbids words in prompts. */
const forbidsWords = ({ options }: Pick<Catalog, 'options'>): boolean =>
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
  const listWords = (pattern: string) =>
    [...new Set(words.map((word) => (isPattern(word) ? pattern : word)))].join(', ')
  // Callers learn which words are not allowed, but not by which patterns the operator finds others.
  const shown = { en: listWords('a forbidden pattern'), zh: listWords('违禁内容') }
  throw new AppError('request.sensitive_words', { params: { words: shown } })
}

/** Finds the forbidden words of texts. */
interface WordMatcher {
  /** Returns the words and patterns that occur, each once; empty for clean texts, null for those that are too long to be searched at once. */
  findAtOnce(texts: readonly string[]): readonly string[] | null
  /** Resolves with the same for texts of any length. Long ones are searched in slices that yield to other work. */
  find(texts: readonly string[]): Promise<readonly string[]>
}

interface Pattern {
  readonly line: string
  readonly pattern: RE2JS
}

const patternMark = 'regex:'

/** Returns whether a line of the option is a pattern. */
const isPattern = (line: string): boolean => line.startsWith(patternMark)

/**
 * Builds a matcher from the lines of the option: words, in any case, and patterns after `regex:`. Patterns that do not compile are left
 * out. What a pattern matches may be 16,384 characters long.
 */
export function createWordMatcher(lines: readonly string[]): WordMatcher {
  const words = lines.filter((line) => line !== '' && !isPattern(line)).map((line) => line.toLowerCase())
  const patterns = lines.filter(isPattern).flatMap(compilePattern)
  const search = findWords(words)
  return {
    findAtOnce(texts) {
      if (texts.reduce((sum, { length }) => sum + length + 1, 0) > windowLength) return null
      const text = texts.join('\n')
      const found = search(text.toLowerCase())
      for (const { line, pattern } of patterns) if (pattern.matcher(text).find()) found.push(line)
      return found
    },
    async find(texts) {
      const found = new Set<string>()
      for (const window of textWindows(texts)) {
        if (!window.isFirst) await nextTurn()
        for (const word of search(window.text.toLowerCase())) found.add(word)
        for (const { line, pattern } of patterns) {
          if (found.has(line)) continue
          if (!window.isOnly) await nextTurn()
          if (window.holdsMatch(pattern)) found.add(line)
        }
      }
      return [...found]
    },
  }
}

function compilePattern(line: string): Pattern[] {
  try {
    return [{ line, pattern: linearPattern(line.slice(patternMark.length), { ignoresCase: true }) }]
  } catch {
    return []
  }
}

/** The texts of a call. */
interface CallTexts extends Pick<IncomingCall, 'catalog'> {
  readonly texts: readonly string[]
}

/** The least that will be held for it. */
interface Cost {
  readonly caller: Pick<Caller, 'payer' | 'plans'>
  readonly amount: number
}

/**
 * Refuses texts with forbidden words where the price is held in the database, together with a task: the texts of a caller who cannot pay
 * are not searched.
 * @throws AppError `request.sensitive_words`, `quota.user`, `quota.token`.
 */
export async function refusePaidWords(
  { catalog, texts }: CallTexts,
  { caller: { payer, plans }, amount }: Cost,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<void> {
  if (!forbidsWords(catalog)) return
  const { userId, tokenId, isTokenLimited } = payer
  const ofUser = (await ledger.balanceOf([userId])).get(userId) ?? 0
  if (ofUser < amount && plans.length === 0) throw new AppError('quota.user', { params: { need: amount } })
  if (isTokenLimited) {
    const ofToken = (await ledger.tokenBalanceOf([tokenId])).get(tokenId) ?? 0
    if (ofToken < amount) throw new AppError('quota.token', { params: { balance: ofToken, need: amount } })
  }
  await refuseForbiddenWords(catalog, texts)
}
