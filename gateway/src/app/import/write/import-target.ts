import type { Random } from '../../../platform/random'
import type { Database, Transaction } from '../../../platform/store/database'
import type { Seal } from '../../../platform/store/seal'
import type { Report } from '../report'
import { maxFigure } from '../site-source'

/** Where a site is imported to: all of it in one transaction. */
export interface ImportTarget {
  readonly database: Pick<Database, 'kind' | 'query'>
  readonly transaction: Transaction
  readonly seal: Seal
  readonly random: Random
  /** When the import runs, in Unix seconds. */
  readonly at: number
  readonly report: Report
}

/** Reports what had a larger figure than can be kept. */
export function noteLargeFigures({ report }: ImportTarget, label: string, figures: readonly number[]): void {
  if (figures.some((figure) => Math.abs(figure) === maxFigure))
    report.note(`quotas that are too large for exact sums, which are ${maxFigure} now`, label)
}

/** Values are bound to statements in batches of this size. */
const rowsAtOnce = 200

/** Yields a page's rows as few as one statement takes. */
export function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) yield items.slice(start, start + rowsAtOnce)
}
