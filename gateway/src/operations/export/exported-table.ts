import { withLogDetails } from '@tollgate/contract'

import type { LogStore } from '../../billing/usage-log/log-store'
import type { Queries } from '../../platform/store/database'
import { nextTurn } from '../../platform/time/timers'

export interface ExportedColumn {
  readonly name: string
  readonly type: 'number' | 'text'
}
export type ExportedRow = Readonly<Record<string, string | number>>

/** Seconds; the end is exclusive. */
interface Day {
  readonly from: number
  readonly to: number
}

export interface ExportSource {
  readonly query: Queries
  /** Where the usage log is. */
  readonly logs: Pick<LogStore, 'each'>
}

/** What is exported under one name. */
export interface ExportedTable {
  readonly name: string
  readonly columns: readonly ExportedColumn[]
  /** Yields the rows of a day, a list at a time. */
  rows(source: ExportSource, day: Day): AsyncGenerator<readonly ExportedRow[]>
}

const numbers = (...names: string[]): ExportedColumn[] => names.map((name) => ({ name, type: 'number' }))
const texts = (...names: string[]): ExportedColumn[] => names.map((name) => ({ name, type: 'text' }))

/** The usage log, without conversations: rows of earlier releases have them in their details. */
const logs: ExportedTable = {
  name: 'logs',
  columns: [
    ...numbers('id', 'created_at', 'type', 'user_id', 'token_id', 'channel_id'),
    ...numbers('is_stream', 'use_time', 'prompt_tokens', 'completion_tokens', 'quota'),
    ...texts('request_id', 'username', 'token_name', 'model_name', 'group', 'channel_name'),
    ...texts('content', 'client_ip', 'other'),
  ],
  async *rows({ logs: store }, { from, to }) {
    for await (const rows of store.each({ from, to: to - 1 }))
      yield rows.map((row) => ({ ...row, other: withLogDetails(row.other, noConversation) }))
  },
}

const noConversation = { context: undefined, input_content: undefined, output_content: undefined }

const windowSize = 1000

/** What came to each account and left it by other ways than calls: payments, gifts, corrections. */
const statements: ExportedTable = {
  name: 'statements',
  columns: [...texts('id', 'kind', 'detail'), ...numbers('user_id', 'amount', 'created_at')],
  async *rows({ query }, { from, to }) {
    // There is no index by time alone, so the table is walked by its key, a few milliseconds at a time.
    for (let after = ''; ;) {
      const rows = await query
        .selectFrom('credits')
        .select(['id', 'kind', 'detail', 'user_id', 'amount', 'created_at'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(windowSize)
        .execute()
      yield rows.filter(({ created_at: at }) => at >= from && at < to)
      if (rows.length < windowSize) return
      after = rows.at(-1)?.id ?? after
      await nextTurn()
    }
  },
}

export const exportedTables: readonly ExportedTable[] = [logs, statements]
