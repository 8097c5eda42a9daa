/** Deeper than this nobody nests; a text that does is after the page, whose parser works level by level. */
const mostLevels = 40
const mostIndent = 160

/** Markers of quotes and list items one after the other on a line, each with the space that belongs to it. */
const nested = new RegExp(String.raw`^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){${mostLevels},}`, 'gm')
const indented = new RegExp(String.raw`^[ \t]{${mostIndent},}`, 'gm')

/** The same Markdown without nesting that would take the page minutes, or down. Pure. */
export const tameMarkdown = (text: string): string =>
  text.replace(indented, ' '.repeat(mostIndent)).replace(nested, '> ')

/** So long a text is shown as it is: no answer is, and drawing it would hold up the page. */
export const mostMarkdown = 400_000
