/** No real text nests deeper; one that does attacks the page, whose parser works level by level. */
const maxLevels = 40
const maxIndent = 160

/** Consecutive markers of quotes and list items on a line, each with its space. */
const nested = new RegExp(String.raw`^[ \t]*(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*){${maxLevels},}`, 'gm')
const indent = new RegExp(String.raw`^[ \t]{${maxIndent},}`, 'gm')

/** Removes nesting that would block or crash the page. */
export const limitMarkdown = (text: string): string => text.replace(indent, ' '.repeat(maxIndent)).replace(nested, '> ')

/** A longer text is shown unformatted: no response is this long, and rendering it would block the page. */
export const maxMarkdownLength = 400_000
