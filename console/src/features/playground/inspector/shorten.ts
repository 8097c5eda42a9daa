const maxCharacters = 300

/** Returns a copy with images shortened for reading. */
export function shorten<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? cut(member) : member)))
}

const cut = (text: string): string =>
  text.startsWith('data:') && text.length > maxCharacters ? `${text.slice(0, 64)}…` : text
