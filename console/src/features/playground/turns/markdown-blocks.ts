/** Minimum length of a block. */
const minCharacters = 1_500

const fenceStart = /^ {0,3}(`{3,}|~{3,})/
/** Lines that may continue a list, or belong to the line before. */
const goesOn = /^(?:\s|[-*+]\s|\d{1,9}[.)]\s)/
/** A reference definition applies to the whole text. */
const reference = /^ {0,3}\[[^\]\r\n\u2028\u2029]+\]:/m

/**
 * Splits a Markdown text into blocks that mean the same separately. While a text grows, all blocks but the last stay the same, so that only
 * that one renders again. Pure.
 */
export function markdownBlocks(text: string): string[] {
  if (text.length < minCharacters || reference.test(text)) return [text]
  const blocks: string[] = []
  let start = 0
  let at = 0
  let fence = ''
  let isAfterBlank = false
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end + 1
    const line = text.slice(at, next).trimEnd()
    if (fence === '' && isAfterBlank && line !== '' && !goesOn.test(line) && at - start >= minCharacters) {
      blocks.push(text.slice(start, at))
      start = at
    }
    fence = fenceAfter(fence, line)
    isAfterBlank = line === ''
    at = next
  }
  return [...blocks, text.slice(start)]
}

/** Returns the marker of a fence that the line leaves open. */
function fenceAfter(fence: string, line: string): string {
  const marks = fenceStart.exec(line)?.[1]
  if (!marks) return fence
  if (fence === '') return marks
  const closes = marks.startsWith(fence) && line.trim() === marks
  return closes ? '' : fence
}
