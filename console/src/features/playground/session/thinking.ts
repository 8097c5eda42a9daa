/** Reasoning that a model wrote at the start of its response. Pure. */

const opening = '<think>'
const closing = '</think>'

export interface Thought {
  readonly reasoning: string
  readonly text: string
}

/** Separates the reasoning at the start of a text from the response; the text may still be arriving. */
export function withoutThinking(content: string): Thought {
  const start = content.trimStart()
  if (!start.startsWith(opening))
    // The beginning of a tag is not shown as text before the rest of it has arrived.
    return { reasoning: '', text: start !== '' && opening.startsWith(start) ? '' : content }
  const end = start.indexOf(closing)
  if (end < 0) return { reasoning: withoutTagStart(start.slice(opening.length)).trim(), text: '' }
  return { reasoning: start.slice(opening.length, end).trim(), text: start.slice(end + closing.length).trimStart() }
}

/** Returns the reasoning and the text of a response, wherever the reasoning came. */
export function thoughtOf({ content, reasoning }: { readonly content: string; readonly reasoning: string }): Thought {
  const thought = withoutThinking(content)
  return { reasoning: [reasoning.trim(), thought.reasoning].filter(Boolean).join('\n\n'), text: thought.text }
}

function withoutTagStart(text: string): string {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1)
    if (closing.startsWith(text.slice(-length))) return text.slice(0, -length)
  return text
}
