import { hourSeconds, LogDetails, logType } from '@tollgate/contract'

import { createAddToRollups, type AddToRollups } from '../../../billing/ledger/charge/charge-statements'
import { chargeRecord, type ChargeRecord } from '../../../billing/ledger/charge/charge-record'
import { errorRollupRows, logRow, rollupRows } from '../../../billing/ledger/charge/log-rows'
import { partitionHistory } from '../../../operations/retention/log-partitions'
import { keepTotals } from '../../../operations/retention/remove-sums'
import type { Database, Transaction } from '../../../platform/store/database'
import { keepImport, type ImportNote } from '../../../operations/import-note'
import type { SiteSource, SourceLog } from '../site-source'
import { slicesOf } from './import-target'
import { hourOf, moveFromOpening } from './imported-sums'

interface LogsImport {
  readonly source: SiteSource
  readonly database: Database
  readonly note: ImportNote
  /** The earliest moment that is wanted, in Unix seconds. */
  readonly since: number
  /** Called after each hour with its time, and the rows so far. */
  readonly onHour: (hour: number, rows: number) => void
}

/**
 * Imports the log, newest first, an hour in a transaction: a run that broke off is repeated and goes on. Resolves with the number of rows.
 * Hourly sums follow from the rows.
 */
export async function writeLogs({ source, database, note, since, onHour }: LogsImport): Promise<number> {
  // Before the rows, so that each month can be dropped as a whole.
  await partitionHistory(database, note.at, await source.firstLogSince(since))
  const channels = await database.query.selectFrom('channels').select(['id', 'name']).execute()
  const parts = {
    source,
    addToRollups: createAddToRollups(database),
    channelNames: new Map(channels.map(({ id, name }) => [id, name])),
  }
  let count = 0
  for (let until = note.logsFrom ?? note.at; ;) {
    const last = await source.lastLogBefore(until)
    if (last === null || last < since) break
    const from = Math.max(hourOf(last), since)
    count += await database.longRunning.transaction().execute(async (transaction) => {
      const rows = await writeHour({ ...parts, transaction }, from, until)
      await keepImport(transaction, { ...note, logsFrom: from })
      return rows
    })
    until = from
    onHour(from, count)
  }
  return count
}

interface HourTarget {
  readonly source: SiteSource
  readonly transaction: Transaction
  readonly addToRollups: AddToRollups
  readonly channelNames: ReadonlyMap<number, string>
}

async function writeHour(
  { source, transaction, addToRollups, channelNames }: HourTarget,
  from: number,
  until: number,
): Promise<number> {
  let count = 0
  await removeCoarseSums(from, transaction)
  for await (const logs of source.logsBetween(from, Math.min(until, hourOf(from) + hourSeconds))) {
    const records = logs.map((log) => recordOf(log, channelNames))
    const rows = records.map((record, index) => ({
      ...logRow(record.requestId, record.entry, record.cost),
      id: logs[index]?.id,
    }))
    for (const some of slicesOf(rows)) await transaction.insertInto('logs').values(some).execute()
    const used = rollupRows(records.filter(({ entry }) => entry.type === logType.consumption))
    await addToRollups(transaction, used)
    await moveFromOpening(used, transaction)
    const failed = records.filter(({ entry }) => entry.type === logType.error)
    await addToRollups(transaction, errorRollupRows(failed.map(({ entry }) => entry)))
    count += logs.length
  }
  return count
}

/** The sums of the source, which name no channel, give way to those that follow from the log. */
async function removeCoarseSums(moment: number, transaction: Transaction): Promise<void> {
  const removed = await transaction
    .deleteFrom('rollups')
    .where('hour', '=', hourOf(moment))
    .where('channel_id', '=', 0)
    .where('token_name', '=', '')
    .where('group', '=', '')
    .returning(['user_id', 'channel_id', 'quota', 'count'])
    .execute()
  await keepTotals(transaction, removed)
}

const maxDetails = 16_384

/** Set by what this gateway measured; a row of another was not. */
const measured: ReadonlySet<string> = new Set(['use_time_ms', 'refused_calls', 'error_code'])

function recordOf(log: SourceLog, channelNames: ReadonlyMap<number, string>): ChargeRecord {
  const entry = {
    createdAt: log.createdAt,
    type: log.type,
    userId: log.userId,
    username: log.username,
    tokenId: log.tokenId,
    tokenName: log.tokenName,
    modelName: log.model,
    group: log.group,
    channelId: log.channelId,
    channelName: channelNames.get(log.channelId) ?? '',
    isStream: log.isStream,
    useTimeSeconds: log.seconds,
    promptTokens: log.promptTokens,
    completionTokens: log.completionTokens,
    content: log.content,
    clientIp: log.clientIp,
    other: detailsOf(log),
  }
  const payer = { userId: log.userId, tokenId: log.tokenId, isTokenLimited: false }
  const charge = { cost: log.quota, isLogged: true, entry }
  return chargeRecord(`import-${log.id}`, payer, charge, { userLease: '', tokenLease: '' })
}

/** Returns the details that rows here have too; nothing of a conversation. */
function detailsOf({ details }: SourceLog): string {
  const known = Object.entries(details).filter(([name]) => Object.hasOwn(LogDetails.shape, name) && !measured.has(name))
  const text = JSON.stringify(Object.fromEntries(known))
  return text.length > maxDetails ? '{}' : text
}
