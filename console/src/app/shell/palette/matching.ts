import type { Command } from './command'
import { terms } from './terms'

/**
 * Returns how well a command matches, less is better; undefined when it does not. Every word of the query must occur in the name or the
 * terms.
 */
function scoreOf({ id, label, hint = '' }: Command, query: string, more: string): number | undefined {
  const name = label.toLowerCase()
  if (name.startsWith(query)) return 0
  if (name.includes(` ${query}`)) return 1
  if (name.includes(query)) return 2
  const words = query.split(/\s+/)
  const everything = `${name} ${hint} ${terms[id] ?? ''} ${more}`.toLowerCase()
  return words.every((word) => everything.includes(word)) ? 3 : undefined
}

/** Returns the commands that match the query, best first; all of them for an empty query. `moreOf` returns further words of a command. */
export function matching(
  commands: readonly Command[],
  typed: string,
  moreOf: (command: Command) => string = () => '',
): readonly Command[] {
  const query = typed.trim().toLowerCase()
  if (query === '') return commands
  return commands
    .flatMap((command) => {
      const score = scoreOf(command, query, moreOf(command))
      return score === undefined ? [] : [{ command, score }]
    })
    .sort((one, other) => one.score - other.score)
    .map(({ command }) => command)
}
