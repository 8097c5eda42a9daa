import { logType, readLogDetails } from '@tollgate/contract'

import type { LogRow } from '../log-row'
import classes from '../logs.module.css'

/** The row's own text; for a charged call its tokens and prices. */
export function DetailsCell({ row }: { readonly row: LogRow }) {
  if (row.type === logType.error) return <Reason row={row} />
  return <Line text={row.content} isQuiet={row.type === logType.consumption} />
}

/** The gateway's sentence, and below it the upstream's, where the reader may see it. */
function Reason({ row }: { readonly row: LogRow }) {
  const { attempts = [] } = readLogDetails(row.other).admin_info ?? {}
  const reason = attempts.at(-1)?.reason
  return (
    <>
      <Line text={row.content} />
      {reason && reason !== row.content && <Line text={reason} isQuiet />}
    </>
  )
}

/** A line truncated at the end of its cell. */
export const Line = ({ text, isQuiet }: { readonly text: string; readonly isQuiet?: boolean }) =>
  text && (
    <div className={classes.line} data-is-quiet={isQuiet || undefined} title={text}>
      {text}
    </div>
  )
