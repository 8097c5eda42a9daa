import type { Cell } from './cells'
import classes from './data-table.module.css'
import type { Sums } from './types'

interface TableSumsProps<Row> {
  readonly sums: Sums
  readonly cells: readonly Cell<Row>[]
  /** Number of columns before and after those of the page. */
  readonly before: number
  readonly hasActions: boolean
}

/** The sticky row of sums. Its label spans the columns before the first sum. */
export function TableSums<Row>({ sums, cells, before, hasActions }: TableSumsProps<Row>) {
  const summed = cells.findIndex((cell) => cell.some(({ id }) => id in sums.cells))
  const named = Math.max(1, summed)
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={before + named}>
          {sums.label}
        </th>
        {cells.slice(named).map((cell) => (
          <td key={cell[0].id} data-align={cell[0].align}>
            {cell.map(({ id }, index) => (
              <div key={id} className={index > 0 ? classes.below : undefined}>
                {sums.cells[id]}
              </div>
            ))}
          </td>
        ))}
        {hasActions && <td className={classes.actions} />}
      </tr>
    </tfoot>
  )
}
