import type { ReactNode } from 'react'

import { useIsPhone } from '../lib/browser/breakpoints'
import classes from './plain-table.module.css'

interface PlainTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** An action of a row is its last cell; on phones it stands beside the first. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[]; readonly action?: ReactNode }[]
  readonly actionTitle?: string
  /** Minimum width before it scrolls sideways. */
  readonly minWidth?: number
}

/** What fits beside the margins of a phone. */
const phoneWidth = 340

/** A few read-only rows without sorting, selection or paging. On phones, a table that does not fit is a list. */
export function PlainTable({ label, columns, rows, actionTitle, minWidth = 560 }: PlainTableProps) {
  const isFolded = useIsPhone() && minWidth > phoneWidth
  if (isFolded) return <FoldedTable label={label} columns={columns} rows={rows} />
  return (
    <div className={classes.frame} role="group" aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label} style={{ minWidth }}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {actionTitle && <th scope="col">{actionTitle}</th>}
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map(({ key, cells, action }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={columns[index]}>{cell}</td>
              ))}
              {action && <td>{action}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Each row under its first cell, the others after the names of their columns. */
const FoldedTable = ({ label, columns, rows }: PlainTableProps) => (
  <ul className={`figures ${classes.folded}`} aria-label={label}>
    {rows.map(({ key, cells: [first, ...others], action }) => (
      <li key={key}>
        <div data-is-first>{first}</div>
        {action && <div className={classes.action}>{action}</div>}
        {others.map((cell, index) => (
          <div key={columns[index + 1]}>
            <span className={classes.name}>{columns[index + 1]}</span>
            {cell}
          </div>
        ))}
      </li>
    ))}
  </ul>
)
