import type { Answer, Session, Turn } from './session'

type Tree = Pick<Session, 'turns' | 'chosen'>

/** Returns the turns after a turn, oldest first; null: the first ones. */
export const turnsAfter = ({ turns }: Pick<Session, 'turns'>, parent: string | null): readonly Turn[] =>
  turns.filter((turn) => turn.parent === parent)

/** Returns the turns shown, first to last: at each branch the chosen one, or else the newest. */
export function shownTurns(tree: Tree): readonly Turn[] {
  const path: Turn[] = []
  let at: string | null = null
  for (;;) {
    const next = shownAfter(tree, at)
    if (!next) return path
    path.push(next)
    at = next.id
  }
}

function shownAfter(tree: Tree, parent: string | null): Turn | undefined {
  const candidates = turnsAfter(tree, parent)
  const chosen = tree.chosen[parent ?? '']
  return candidates.find(({ id }) => id === chosen) ?? candidates.at(-1)
}

/** Returns the last turn shown. */
export const lastTurn = (tree: Tree): Turn | undefined => shownTurns(tree).at(-1)

/** Returns the last response of a lane among the turns shown. */
export const lastAnswer = (tree: Tree, laneId: string): Answer | undefined =>
  shownTurns(tree).findLast(({ answers }) => answers[laneId])?.answers[laneId]

/** Returns the index of a turn among its versions, and their number. */
export function versionsOf(
  tree: Pick<Session, 'turns'>,
  turn: Turn,
): { readonly ids: readonly string[]; readonly at: number } {
  const ids = turnsAfter(tree, turn.parent).map(({ id }) => id)
  return { ids, at: ids.indexOf(turn.id) }
}
