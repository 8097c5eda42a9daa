/** No real text nests deeper; one that does attacks the page, whose parser works level by level. */
const mostLevels = 40
const mostIndent = 160

/** Consecutive markers of quotes and list items on a line, each with its space. */
const nested = new RegExp(String.raw`^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){${mostLevels},}`, 'gm')
const indented = new RegExp(String.raw`^[ \t]{${mostIndent},}`, 'gm')

/** Removes nesting that would block or crash the page. */
export const tameMarkdown = (text: string): string =>
  text.replace(indented, ' '.repeat(mostIndent)).replace(nested, '> ')

/** A longer text is shown unformatted: no response is this long, and rendering it would block the page. */
export const mostMarkdown = 400_000
