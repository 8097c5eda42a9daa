import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { daySeconds } from '@tollgate/contract'

import { keyIn, type Bucket } from '../../tasks/bucket/bucket'
import { getObject, maxObjectBytes, putObject } from '../../tasks/bucket/bucket-objects'
import type { BucketDeps } from '../../tasks/bucket/call-bucket'
import { UpkeepError } from '../upkeep-error'
import { exportedTables, type ExportSource } from './exported-table'
import { contentTypes, openFile, type ExportFormat } from './file-formats'

/** Where exported files go. A file is there whole or not at all. */
export interface ExportTarget {
  has(name: string): Promise<boolean>
  /** Takes the file at a path away. */
  take(name: string, path: string, contentType: string): Promise<void>
}

export function folderTarget(folder: string): ExportTarget {
  return {
    has: (name) => Promise.resolve(existsSync(join(folder, name))),
    take(name, path) {
      renameSync(path, join(folder, name))
      return Promise.resolve()
    },
  }
}

/** Below the prefix of the bucket, in the folder `exports`. */
export function bucketTarget(deps: BucketDeps, bucket: Bucket): ExportTarget {
  const keyOf = (name: string) => keyIn(bucket, `exports/${name}`)
  return {
    async has(name) {
      const object = await getObject(deps, bucket, keyOf(name), 'bytes=0-0')
      await object?.body?.cancel()
      return object !== null
    },
    async take(name, path, contentType) {
      const { size } = statSync(path)
      if (size > maxObjectBytes)
        throw new UpkeepError(`${name} is larger than a bucket takes at once. Export it to a folder, or as Parquet.`)
      const content = { body: Bun.file(path).stream(), size, sha256: await sha256Of(path) }
      await putObject(deps, bucket, { key: keyOf(name), contentType }, content)
      rmSync(path)
    },
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

interface DayExport {
  readonly source: ExportSource
  readonly target: ExportTarget
  readonly formats: readonly ExportFormat[]
  /** Files are written here first. */
  readonly folder: string
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string
}

/** Exports what a day lacks. Yields the names of the files, with their rows. */
export async function* exportDay({ source, target, formats, folder, day }: DayExport) {
  const from = Date.parse(day) / 1000
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const table of exportedTables) {
    for (const format of formats) {
      const name = `${table.name}-${day}.${format}`
      if (await target.has(name)) continue
      const path = join(folder, `${name}.unfinished`)
      const file = openFile[format](path, table.columns)
      let count = 0
      for await (const rows of table.rows(source, { from, to: from + daySeconds })) {
        await file.write(rows)
        count += rows.length
      }
      await file.close()
      await target.take(name, path, contentTypes[format])
      yield { name, count }
    }
  }
}

/** Returns the days (UTC) from one to another, both inclusive. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += daySeconds * 1000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
