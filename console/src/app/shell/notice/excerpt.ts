/** As much as fits into a line. */
const longest = 300

/**
 * The words of an operator's text, without HTML, the marks of Markdown and line breaks; empty where it is one address, which
 * is shown as a page. The text is parsed apart from the page: nothing in it runs or is loaded.
 */
export function excerptOf(text: string): string {
  if (/^\s*https:\/\/\S+\s*$/.test(text)) return ''
  const apart = text.replaceAll(/<(?:\/(?:p|div|li|td|th|h\d)|br)\b/gi, ' $&')
  const { body } = new DOMParser().parseFromString(apart, 'text/html')
  for (const silent of body.querySelectorAll('script, style, template')) silent.remove()
  return (body.textContent ?? '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replaceAll(/\*\*|__|~~|`/g, '')
    .replaceAll(/(?<!\w)([*_])(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)/g, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
}
