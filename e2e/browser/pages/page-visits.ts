import type { Shot } from './shot'
import { shots } from './shots'

/** A page as one account sees it, with its states. */
export interface PageVisit {
  /** The name of its first shot. */
  readonly name: string
  /** Those that act come last, as they leave the page in another state. */
  readonly shots: readonly Shot[]
}

const pageOf = ({ path, as, isFirstVisit }: Shot): string =>
  [as ?? 'guest', isFirstVisit ? 'before the setup' : '', path.split('?', 1)[0]].join(' ')

/** All shots that a test sees, by page. */
export const pageVisits: readonly PageVisit[] = [
  ...Map.groupBy(
    shots.filter(({ isAlike }) => !isAlike),
    pageOf,
  ).values(),
].map((states) => {
  const ordered = [...states.filter(({ act }) => !act), ...states.filter(({ act }) => act)]
  return { name: ordered[0]?.name ?? '', shots: ordered }
})
