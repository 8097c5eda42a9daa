import { drawKinds, type DrawKind } from './draws'

/** A period of a window, and what charges draw from it. */
export interface NamedDraw {
  readonly period: number
  readonly kind: DrawKind
}

/** What charges draw from by leases of one series. */
export interface DrawSet {
  readonly series: string
  readonly draws: readonly NamedDraw[]
}

/** The form of names: `12r 13t 14q w:0:abc.0`, periods with the letters of what is drawn, then the series. */
export const drawsPattern = /^(?:\d{1,16}[qvrnpct] )+/

/** Returns the name of what charges draw from by leases of a series: amounts follow from each charge. */
export const nameOfDraws = (series: string, draws: readonly NamedDraw[]): string =>
  `${draws.map(({ period, kind }) => `${period}${kind} `).join('')}${series}`

const maxKnown = 10_000

/** Reads names of draws, each once. */
export class DrawSets {
  readonly #known = new Map<string, DrawSet>()

  read(name: string): DrawSet {
    const known = this.#known.get(name)
    if (known) return known
    if (this.#known.size >= maxKnown) this.#known.clear()
    const read = readName(name)
    this.#known.set(name, read)
    return read
  }
}

function readName(name: string): DrawSet {
  const [listed = ''] = drawsPattern.exec(name) ?? []
  const draws = listed
    .trimEnd()
    .split(' ')
    .filter((draw) => draw !== '')
    .map((draw) => ({ period: Number(draw.slice(0, -1)), kind: kindOf(draw.at(-1)) }))
  return { series: name.slice(listed.length), draws }
}

const kindOf = (letter: string | undefined): DrawKind => drawKinds.find((kind) => kind === letter) ?? 'n'
