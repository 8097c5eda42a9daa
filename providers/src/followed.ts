/** What a text is searched for. */
export type TextPattern = Pick<RegExp, 'test'>

/** The longest phrase that is looked for behind another one. */
const longestPhrase = 40

/**
 * Finds a phrase that begins at most `within` characters behind another one, in the same line or sentence. One pattern for both would be
 * tried at each place of the text for each length of what lies between. `first` is global.
 */
export const followed = (first: RegExp, within: number, then: RegExp): TextPattern => ({
  test(text) {
    for (const { 0: found, index } of text.matchAll(first)) {
      const from = index + found.length
      const [rest = ''] = text.slice(from, from + within + longestPhrase).split(/[\n。]/, 1)
      if (then.test(rest)) return true
    }
    return false
  },
})
