import { nameOf, type Session } from '../session/session'

/** A session in the list. */
export interface Summary {
  readonly id: string
  readonly name: string
  readonly updatedAt: number
  readonly models: readonly string[]
  /** All its text, for the search. */
  readonly words: string
  /** Size in characters. */
  readonly size: number
}

const maxSessions = 100
/** For all sessions of a user together: including images, some 40 MB. */
const maxCharacters = 40_000_000

const maxSearched = 20_000

export function summaryOf(session: Session): Summary {
  const { id, updatedAt, lanes, turns } = session
  const texts = turns.flatMap(({ question, answers }) => [
    question?.text ?? '',
    ...Object.values(answers).map(({ content }) => content),
  ])
  const name = nameOf(session)
  const words = [name, ...texts].join('\n').slice(0, maxSearched).toLowerCase()
  return { id, name, updatedAt, models: lanes.map(({ model }) => model), words, size: sizeOf(session) }
}

function sizeOf({ turns, settings }: Session): number {
  const texts = turns.flatMap(({ question, answers }) => [
    question?.text ?? '',
    ...(question?.images ?? []),
    ...Object.values(answers).flatMap(({ content, reasoning, images }) => [content, reasoning, ...images]),
  ])
  return texts.reduce((sum, text) => sum + text.length, settings.system?.length ?? 0)
}

/** Returns the sessions to delete, oldest first, so that the rest is within bounds; never the one in use. */
export function overBounds(
  summaries: readonly Summary[],
  inUse: string,
  bounds = { sessions: maxSessions, characters: maxCharacters },
): string[] {
  const oldestFirst = summaries.toSorted((one, other) => one.updatedAt - other.updatedAt)
  let count = summaries.length
  let characters = summaries.reduce((sum, { size }) => sum + size, 0)
  const gone: string[] = []
  for (const { id, size } of oldestFirst) {
    if (count <= bounds.sessions && characters <= bounds.characters) break
    if (id === inUse) continue
    gone.push(id)
    count -= 1
    characters -= size
  }
  return gone
}

/** Returns matches, newest first; each word of the search must occur in the session. */
export function findSessions(summaries: readonly Summary[], search: string): readonly Summary[] {
  const searchedWords = search.toLowerCase().split(/\s+/).filter(Boolean)
  return summaries
    .filter(({ words, models }) =>
      searchedWords.every((word) => words.includes(word) || models.some((model) => model.toLowerCase().includes(word))),
    )
    .toSorted((one, other) => other.updatedAt - one.updatedAt)
}
