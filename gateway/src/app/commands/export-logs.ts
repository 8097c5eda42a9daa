import { resolve } from 'node:path'

import { z } from 'zod'

import { openLogs } from '../../billing/usage-log/open-logs'
import { readOptions } from '../../channels/catalog/catalog-store'
import {
  bucketTarget,
  daysBetween,
  exportDay,
  folderTarget,
  type ExportTarget,
} from '../../operations/export/export-day'
import { exportFormats, type ExportFormat } from '../../operations/export/file-formats'
import { sentence } from '../../http/language'
import { readConfig } from '../../platform/config/config'
import { pathsIn } from '../../platform/store/data-folder'
import type { Database } from '../../platform/store/database'
import { systemClock } from '../../platform/time/clock'
import { systemTimers } from '../../platform/time/timers'
import { bucketOf } from '../../tasks/bucket/bucket'
import { BucketFailure } from '../../tasks/bucket/bucket-failure'
import { openForWriting, openSeal } from './act'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'

const Day = z.iso.date()

/** Writes the usage log and the movements of accounts to files, a day each. */
export const exportLogs: Command = {
  name: 'export-logs',
  parameters: '--from DAY [--to DAY] [--format csv|parquet|both] [--folder FOLDER | --bucket]',
  summary: 'Write the usage log and the movements of accounts to files, one for each day.',
  details: [
    'Days are YYYY-MM-DD in UTC; without --to it is one day. The files are logs-DAY.csv and statements-DAY.csv, or .parquet.',
    'They are written to a folder, by default DATA_DIR/exports, or with --bucket to the bucket of the settings.',
    'A file that is there already is left as it is, so an export that was interrupted goes on when it is repeated. The gateway may run.',
  ],
  async run(words, world) {
    const { from, to, formats, folder, isToBucket } = readParameters(words)
    if (to >= new Date().toISOString().slice(0, 10)) throw new CommandError(`${to} is not over yet (UTC).`)
    const database = await openForWriting(world)
    const { clickHouse, logs } = await openLogs(readConfig(world.environment), database)
    try {
      const { config } = await openSeal(database, world)
      const own = pathsIn(config.dataDir).exportsPath
      const place = folder === undefined ? own : resolve(folder)
      const target = isToBucket ? await openBucket(database, world) : folderTarget(place)
      const every = { source: { query: database.query, logs }, target, formats, folder: isToBucket ? own : place }
      for (const day of daysBetween(from, to))
        for await (const { name, count } of exportDay({ ...every, day })) world.print(`${name}: ${count}`)
      return 0
    } catch (error) {
      if (error instanceof BucketFailure)
        throw new CommandError(sentence(error.reason.code, error.reason.params ?? {}, 'en'), { cause: error })
      throw error
    } finally {
      await clickHouse?.close()
      await database.close()
    }
  },
}

interface Parameters {
  readonly from: string
  readonly to: string
  readonly formats: readonly ExportFormat[]
  readonly folder: string | undefined
  readonly isToBucket: boolean
}

function readParameters(words: readonly string[]): Parameters {
  const values = new Map<string, string>()
  let isToBucket = false
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (word === '--bucket') isToBucket = true
    else if (['--from', '--to', '--format', '--folder'].includes(word)) values.set(word, words[(index += 1)] ?? '')
    else throw new UsageError(`export-logs does not take ${word}.`)
  }
  const from = values.get('--from') ?? ''
  const to = values.get('--to') ?? from
  for (const day of [from, to])
    if (!Day.safeParse(day).success) throw new UsageError(`${day || 'Nothing'} is not a day like 2026-11-30.`)
  const format = values.get('--format') ?? 'csv'
  const formats = exportFormats.filter((known) => format === 'both' || format === known)
  if (formats.length === 0) throw new UsageError(`There is no format ${format}.`)
  const folder = values.get('--folder')
  if (folder !== undefined && isToBucket) throw new UsageError('export-logs takes a folder or the bucket.')
  return { from, to, formats, folder, isToBucket }
}

/** @throws CommandError where no bucket is set up. */
async function openBucket(database: Database, world: CommandWorld): Promise<ExportTarget> {
  const { seal } = await openSeal(database, world)
  const bucket = bucketOf(await readOptions(database, seal, { warn: () => {} }))
  if (!bucket) throw new CommandError('No bucket is set up: System settings → Files.')
  return bucketTarget({ clock: systemClock, timers: systemTimers, fetch: globalThis.fetch }, bucket)
}
