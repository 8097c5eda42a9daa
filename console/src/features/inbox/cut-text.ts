const ellipsis = '...'

/** The beginning of a text: at most so many characters, the ellipsis of a longer one among them. */
export function cutText(text: string, most: number): string {
  const letters = Array.from(text)
  return letters.length > most ? letters.slice(0, most - ellipsis.length).join('') + ellipsis : text
}
