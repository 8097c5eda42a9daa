const ellipsis = '...'

/** Truncates a text to at most this many characters, including the ellipsis. */
export function cutText(text: string, most: number): string {
  const letters = Array.from(text)
  return letters.length > most ? letters.slice(0, most - ellipsis.length).join('') + ellipsis : text
}
