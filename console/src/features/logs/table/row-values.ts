import { readLogDetails } from '@tollgate/contract'

import { excludable, type Excludable, type FilterValue } from '../filters/exclusions'
import type { LogRow } from '../log-row'

export interface RowValue extends FilterValue {
  /** As displayed. */
  readonly label: string
}

/** Returns the value that the row can be filtered by; undefined where it has none. */
export function valueOf(row: LogRow, name: Excludable): RowValue | undefined {
  const [value, label = value] = texts[name](row)
  return value ? { name, value, label: label || value } : undefined
}

/** Returns all values of a row that its reader can filter by. */
export const valuesOf = (row: LogRow, readsAll: boolean): readonly RowValue[] =>
  excludable.flatMap((name) => (readsAll || !isForAdmins(name) ? (valueOf(row, name) ?? []) : []))

const isForAdmins = (name: Excludable): boolean => name === 'channel' || name === 'username'

type Texts = readonly [value: string | undefined, label?: string]

const texts: Record<Excludable, (row: LogRow) => Texts> = {
  model: (row) => [row.model_name],
  channel: ({ channel, channel_name: name }) => (channel ? [String(channel), name || `#${channel}`] : [undefined]),
  username: (row) => [row.username],
  token: (row) => [row.token_name],
  group: (row) => [row.group],
  error: ({ other }) => [readLogDetails(other).error_code],
}
