/** So long a part is before the next one may begin. */
const leastCharacters = 1_500

const fenceStart = /^ {0,3}(`{3,}|~{3,})/
/** Lines that may go on with a list, or belong to what stands before them. */
const goesOn = /^(?:\s|[-*+]\s|\d{1,9}[.)]\s)/
/** A reference is valid in the whole text. */
const reference = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * A Markdown text in parts that mean the same one by one. While a text grows all parts but the last stay what they are,
 * so that only that one has to be drawn anew. Pure.
 */
export function markdownBlocks(text: string): string[] {
  if (text.length < leastCharacters || reference.test(text)) return [text]
  const blocks: string[] = []
  let start = 0
  let at = 0
  let fence = ''
  let isAfterBlank = false
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end + 1
    const line = text.slice(at, next).trimEnd()
    if (fence === '' && isAfterBlank && line !== '' && !goesOn.test(line) && at - start >= leastCharacters) {
      blocks.push(text.slice(start, at))
      start = at
    }
    fence = fenceAfter(fence, line)
    isAfterBlank = line === ''
    at = next
  }
  return [...blocks, text.slice(start)]
}

/** The marks of the fence a line leaves open. */
function fenceAfter(fence: string, line: string): string {
  const marks = fenceStart.exec(line)?.[1]
  if (!marks) return fence
  if (fence === '') return marks
  const closes = marks.startsWith(fence) && line.trim() === marks
  return closes ? '' : fence
}
