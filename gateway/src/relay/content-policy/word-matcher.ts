import type { RE2JS } from 're2js'

import { linearPattern } from '../../platform/text/linear-pattern'
import { nextTurn } from '../../platform/time/timers'
import { findWords } from './find-words'
import { textWindows, windowLength } from './text-windows'

/** Finds the forbidden words of texts. */
export interface WordMatcher {
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
export const isPattern = (line: string): boolean => line.startsWith(patternMark)

/**
 * Builds a matcher from the lines of the option: words, in any case, and patterns after `regex:`. Patterns that do not compile are left
 * out. What a pattern matches may be 16,384 characters long.
 */
export function createWordMatcher(lines: readonly string[]): WordMatcher {
  const words = lines.filter((line) => line !== '' && !isPattern(line)).map((line) => line.toLowerCase())
  const patterns = lines.filter(isPattern).flatMap(compiled)
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

function compiled(line: string): Pattern[] {
  try {
    return [{ line, pattern: linearPattern(line.slice(patternMark.length), { ignoresCase: true }) }]
  } catch {
    return []
  }
}
