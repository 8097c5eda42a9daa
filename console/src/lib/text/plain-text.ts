/**
 * Returns the text of HTML or Markdown without markup and line breaks. It is parsed in an inert document: nothing in it runs or is loaded.
 */
export function plainText(text: string): string {
  const apart = text.replaceAll(/<(?:\/(?:p|div|li|td|th|h\d)|br)\b/gi, ' $&')
  const { body } = new DOMParser().parseFromString(apart, 'text/html')
  for (const silent of body.querySelectorAll('script, style, template')) silent.remove()
  return (body.textContent ?? '')
    .replaceAll(/!?\[([^[\]]*)\]\([^()[]*\)/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replaceAll(/\*\*|__|~~|`/g, '')
    .replaceAll(/(?<!\w)([*_])(?=\S)([^*_\n]+)(?<=\S)\1(?!\w)/g, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
