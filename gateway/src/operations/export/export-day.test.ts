import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { logType, readCsv } from '@tollgate/contract'
import { startS3 } from '@tollgate/simulator'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'

import { bucketOptions } from '../../../test/bucket-options'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { aLogRow } from '../../../test/rows'
import { createWorld, type World } from '../../../test/world'
import { exportDueDays } from './scheduled-export'
import { runCommand } from '../../app/commands/run-command'

setDefaultTimeout(60_000)

const at = (text: string) => Date.parse(`${text}Z`) / 1000

describe.each(kinds)('exports by the day (%s)', (kind) => {
  let world: World
  beforeEach(async () => {
    world = await createWorld({ kind })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const query = () => world.ctx.database.query
  const folder = () => join(world.ctx.config.dataDir, 'exports')

  async function run(...words: string[]) {
    const { dataDir, databaseUrl } = world.ctx.config
    const environment = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const lines: string[] = []
    const code = await runCommand(['export-logs', ...words], { environment, print: (line) => lines.push(line) })
    return { code, lines }
  }

  const odd = ['', '=1+1', "'quoted'", '"', 'a,b\r\nc', ' spaces ', '\u{1f600}', '中文', '-5', '\t']

  async function fill(): Promise<void> {
    const row = (index: number, created_at: number) =>
      aLogRow({
        request_id: `r-${index}`,
        created_at,
        type: logType.consumption,
        content: odd[index % odd.length] ?? '',
        quota: index % 2 === 0 ? -index : 2 ** 52 + index,
        other: '{"input_content":"a secret","stream":true}',
      })
    await query()
      .insertInto('logs')
      .values(Array.from({ length: 1203 }, (_, index) => row(index, at('2026-03-02T00:00:00') + index * 71)))
      .execute()
    await query()
      .insertInto('logs')
      .values([row(7000, at('2026-03-01T23:59:59')), row(7001, at('2026-03-03T00:00:00'))])
      .execute()
    await query()
      .insertInto('credits')
      .values(
        Array.from({ length: 1002 }, (_, index) => ({
          id: `admin:${index}`,
          user_id: index,
          kind: 'admin',
          amount: 500 - index,
          created_at: at(index % 3 === 0 ? '2026-03-02T23:59:59' : '2026-03-03T00:00:00'),
          detail: odd[index % odd.length] ?? '',
        })),
      )
      .execute()
  }

  const readCsvFile = (name: string) => {
    const [head, ...rows] = readCsv(readFileSync(join(folder(), name), 'utf8'))
    return rows.map(({ cells }) =>
      Object.fromEntries((head?.cells ?? []).map((column, index) => [column, cells[index] ?? ''])),
    )
  }
  const readParquetFile = async (name: string) => {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder(), name)) })
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value)])))
  }

  test('the Parquet file of a day has the rows of its CSV, which are those of the day, without conversations', async () => {
    await fill()
    expect(await run('--from', '2026-03-02', '--format', 'both')).toEqual({
      code: 0,
      lines: [
        'logs-2026-03-02.csv: 1203',
        'logs-2026-03-02.parquet: 1203',
        'statements-2026-03-02.csv: 334',
        'statements-2026-03-02.parquet: 334',
      ],
    })
    for (const table of ['logs', 'statements'])
      expect(await readParquetFile(`${table}-2026-03-02.parquet`)).toEqual(readCsvFile(`${table}-2026-03-02.csv`))
    const stored = await query()
      .selectFrom('logs')
      .selectAll()
      .where('request_id', 'not in', ['r-7000', 'r-7001'])
      .orderBy('created_at', 'desc')
      .execute()
    expect(await readParquetFile('logs-2026-03-02.parquet')).toEqual(
      stored.map((row) =>
        Object.fromEntries(
          Object.entries({ ...row, other: '{"stream":true}' }).map(([column, value]) => [column, String(value)]),
        ),
      ),
    )
  })

  test('a repeated export writes what is not there', async () => {
    await fill()
    await run('--from', '2026-03-01', '--to', '2026-03-03')
    const name = join(folder(), 'logs-2026-03-01.csv')
    const before = statSync(name).mtimeMs
    rmSync(join(folder(), 'logs-2026-03-03.csv'))
    expect(await run('--from', '2026-03-01', '--to', '2026-03-03')).toEqual({
      code: 0,
      lines: ['logs-2026-03-03.csv: 1'],
    })
    expect(statSync(name).mtimeMs).toBe(before)
  })

  test('an export to the bucket that fails goes on when it is repeated', async () => {
    await using s3 = await startS3()
    expect(await run('--from', '2026-03-02', '--bucket')).toMatchObject({
      code: 1,
      lines: [expect.stringContaining('No bucket is set up')],
    })
    await setOptionsIn(world.ctx, { ...bucketOptions(s3), TaskBucketPrefix: 'site' })
    await fill()
    s3.fault = { kind: 'fail', method: 'PUT' }
    expect(await run('--from', '2026-03-02', '--bucket').catch(() => 'failed')).toMatchObject({ code: 1 })
    s3.fault = null
    await run('--from', '2026-03-02', '--bucket')
    expect([...s3.objects.keys()]).toEqual([
      'site/exports/logs-2026-03-02.csv',
      'site/exports/statements-2026-03-02.csv',
    ])
    const [object] = [...s3.objects.values()]
    expect(readCsv(Buffer.from(object?.bytes ?? []).toString('utf8'))).toHaveLength(1204)
    expect(readdirSync(folder())).toEqual([])
    expect((await run('--from', '2026-03-02', '--bucket')).lines).toEqual([])
    await setOptionsIn(world.ctx, { LogExportFormat: 'csv', LogExportStorage: 'bucket' })
    await exportDueDays({ ...world.ctx, clock: { ...world.ctx.clock, now: () => Date.parse('2026-03-04T01:00:00Z') } })
    expect(s3.objects.size).toBe(4)
  })

  test('the job exports each day that is over once, and those that it has missed', async () => {
    await fill()
    let now = Date.parse('2026-03-03T00:30:00Z')
    const ctx = { ...world.ctx, clock: { ...world.ctx.clock, now: () => now } }
    const runJob = async () => {
      await exportDueDays({ ...ctx, catalog: world.ctx.catalog })
      return readdirSync(folder()).map(String).toSorted()
    }
    await exportDueDays(ctx)
    await setOptionsIn(world.ctx, { LogExportFormat: 'parquet' })
    expect(await runJob()).toEqual(['logs-2026-03-01.parquet', 'statements-2026-03-01.parquet'])
    now = Date.parse('2026-03-05T01:00:00Z')
    const all = ['01', '02', '03', '04'].map((day) => `logs-2026-03-${day}.parquet`)
    expect((await runJob()).filter((name) => name.startsWith('logs'))).toEqual(all)
    rmSync(join(folder(), 'logs-2026-03-04.parquet'))
    expect((await runJob()).filter((name) => name.startsWith('logs'))).toEqual(all.slice(0, 3))
  })

  test.each([
    [['--to', '2026-03-02'], 2],
    [['--from', '2026-13-02'], 2],
    [['--from', '2026-03-02', '--format', 'xml'], 2],
    [['--from', '2026-03-02', '--folder', 'x', '--bucket'], 2],
    [['--from', '9999-03-02'], 1],
  ])('%j is refused', async (words, code) => {
    expect(await run(...words)).toMatchObject({ code })
  })
})
