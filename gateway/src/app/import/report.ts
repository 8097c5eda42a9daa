import { totalNames, type Totals } from './site-source'

/** Figures that must be the same after the import. */
export type TotalName = (typeof totalNames)[number]

const maxExamples = 5

interface Note {
  count: number
  readonly examples: string[]
}

/** What an import did, and what it could not do and why. */
export class Report {
  readonly #imported = new Map<string, number>()
  readonly #notes = new Map<string, Note>()
  readonly #leftOut = new Map<TotalName, number>()

  /** Counts what was carried over. */
  count(what: string, number = 1): void {
    this.#imported.set(what, (this.#imported.get(what) ?? 0) + number)
  }

  /** Adds a remark; the same one about several things is one line with examples. */
  note(sentence: string, example = ''): void {
    const note = this.#notes.get(sentence) ?? { count: 0, examples: [] }
    note.count += 1
    if (example !== '' && note.examples.length < maxExamples) note.examples.push(example)
    this.#notes.set(sentence, note)
  }

  /** Subtracts what is left out from the figures to expect. */
  leaveOut(name: TotalName, amount = 1): void {
    this.#leftOut.set(name, (this.#leftOut.get(name) ?? 0) + amount)
  }

  /** Returns the counts and remarks, a line each. */
  lines(): string[] {
    const imported = [...this.#imported].map(([what, count]) => `  ${what}: ${count}`)
    const notes = [...this.#notes].map(([sentence, note]) => `  ${noteLine(sentence, note)}`)
    return ['Carried over:', ...imported, ...(notes.length === 0 ? [] : ['Not as it was:', ...notes])]
  }

  /** Returns the comparison of sums, a line each, and whether they are equal. */
  compare(source: Totals, target: Totals): { readonly lines: readonly string[]; readonly isEqual: boolean } {
    const rows = totalNames.map((name) => {
      const leftOut = this.#leftOut.get(name) ?? 0
      const isEqual = source[name] === target[name] + leftOut
      const left = leftOut === 0 ? '' : `, left out ${leftOut}`
      return {
        isEqual,
        line: `  ${name}: source ${source[name]}, here ${target[name]}${left}${isEqual ? '' : ' — NOT EQUAL'}`,
      }
    })
    const isEqual = rows.every((row) => row.isEqual)
    return {
      isEqual,
      lines: ['Sums:', ...rows.map(({ line }) => line), isEqual ? 'All sums are equal.' : 'Sums differ.'],
    }
  }
}

function noteLine(sentence: string, { count, examples }: Note): string {
  if (examples.length === 0) return sentence
  const rest = count > examples.length ? ` and ${count - examples.length} more` : ''
  return `${sentence} (${count}): ${examples.join(', ')}${rest}`
}
