import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import type { Grant, systemRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { JobList } from './job-list'
import { LogLevel } from './log-level'
import { SystemPage, QueueList } from './system-page'
import { NodeList, WorkerList } from './worker-list'

const aWorker = (fields: Partial<systemRoutes.WorkerState> = {}): systemRoutes.WorkerState => ({
  id: 'worker-1',
  pid: 4711,
  uptime_seconds: 7200,
  memory_bytes: 100 * 1024 ** 2,
  calls_in_flight: 1234,
  loop_delay_mean_ms: 1.26,
  loop_delay_p99_ms: null,
  journal_charges: 5,
  journal_oldest_seconds: 0,
  response_cache: { hits: 0, misses: 0, entries: 0, bytes: 0, saved_quota: 0, saved_cost_quota: 0 },
  log_level: 'info',
  is_leader: true,
  jobs: [],
  ...fields,
})

const aJob = (fields: Partial<systemRoutes.JobRun> = {}): systemRoutes.JobRun => ({
  name: 'send-mails',
  every_ms: 30_000,
  started_at_ms: 1_700_000_000_000,
  duration_ms: 1200,
  outcome: 'ok',
  error: '',
  worker: 'worker-1',
  progress: null,
  ...fields,
})

const log = { level: 'info', configured: 'info', until: null } as const
const state: systemRoutes.SystemState = {
  version: '1.2.3',
  build: 'tollgate',
  runtime: 'Bun 1.4.5',
  platform: 'linux-x64',
  host: 'node-a',
  data_dir: '/data',
  started_at: 1_700_000_000,
  workers: [aWorker()],
  nodes: [],
  database: { kind: 'postgres', version: '15.2', bytes: 2048, location: 'db.example/tollgate' },
  set_aside: [],
  queues: [],
  disk: { total_bytes: 10 * 1024 ** 3, free_bytes: 1024 ** 3, data_bytes: 1024, backup_bytes: 0 },
  jobs: [],
  log,
}

/** The cells of each row of a table, without the row of headings. */
const rows = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

async function openPage(grants: readonly Grant[]) {
  const calls = serve({
    'GET /api/system': () => state,
    'GET /api/system/checks': () => ({
      findings: [{ level: 'FAIL', subject: 'mail', text: 'no server', advice: 'set SMTP_SERVER' }],
      certificates: [{ of: 'mail', host: 'mx.example', subject: '', issuer: '', ends_at: null, failure: 'refused' }],
    }),
  })
  await renderConsole(<SystemPage />, { grants })
  await screen.findByText('1.2.3 (tollgate)')
  return calls
}

test('the page shows the program, its storage and what is wrong with remedies', async () => {
  await openPage(['settings.read'])
  for (const text of ['PostgreSQL 15.2', 'db.example/tollgate', '1 GB of 10 GB'])
    expect(screen.getByText(text)).toBeTruthy()
  expect(await screen.findByText('No server')).toBeTruthy()
  expect(screen.getByText('Set SMTP_SERVER.')).toBeTruthy()
  expect(screen.getByText('refused')).toBeTruthy()
})

test.each<[readonly Grant[], string[]]>([
  [['settings.read'], []],
  [['settings.read', 'settings.write'], ['Change']],
  [
    ['settings.read', 'settings.write', 'settings.secure'],
    ['Support bundle', 'Change'],
  ],
])('holders of %j are offered %j', async (grants, names) => {
  await openPage(grants)
  const offered = screen.getAllByRole('button').map(({ textContent }) => textContent ?? '')
  expect(offered.filter((name) => ['Support bundle', 'Change', 'Return now'].includes(name))).toEqual(names)
})

test('the log level is changed for a time, and returns at once', async () => {
  const calls = serve({ 'PUT /api/system/log_level': () => undefined })
  const changed = { level: 'debug', configured: 'warn', until: 1_700_000_000 } as const
  const { user } = await renderConsole(<LogLevel log={changed} />, { grants: ['settings.read', 'settings.write'] })
  expect(screen.getByText(/^Log level: debug until .+, then warn again$/)).toBeTruthy()
  await user.click(screen.getByText('Change'))
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ level: 'debug', minutes: 15 }]))
  await user.click(screen.getByText('Return now'))
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ level: 'warn', minutes: 0 }))
})

test('workers show their load and their duty', async () => {
  await renderConsole(<WorkerList workers={[aWorker(), aWorker({ id: 'worker-2', is_leader: false })]} />)
  const [leader, other] = rows()
  expect(leader).toEqual(['4711', '2 hours', '100 MB', '1,234', '1.3 ms on average, p99 –', '5', 'Leader'])
  expect(other?.at(-1)).toBe('Answers calls')
})

test('nodes are listed only where there are several', async () => {
  const node = { id: '0123456789abcdef', is_this: true, workers: 2, started_at: 1, heard_of_at: 1 }
  const { unmount } = await renderConsole(<NodeList nodes={[node]} />)
  expect(screen.queryByRole('table')).toBeNull()
  unmount()
  await renderConsole(<NodeList nodes={[node, { ...node, id: 'fedcba9876543210', is_this: false }]} />)
  expect(rows().map(([name]) => name)).toEqual(['01234567 (this one)', 'fedcba98'])
})

test('queues that are empty or not counted are dashes', async () => {
  await renderConsole(
    <QueueList
      queues={[
        { name: 'mails', waiting: 1200, oldest_seconds: 120 },
        { name: 'charges', waiting: 0, oldest_seconds: 0 },
        { name: 'usage', waiting: null, oldest_seconds: 0 },
      ]}
    />,
  )
  expect(rows()).toEqual([
    ['Mails', '1,200', '2 minutes'],
    ['Charges to settle (this node)', '0', '–'],
    ['Hours to roll up', '–', '–'],
  ])
})

test('jobs show their last result and when they run again', async () => {
  await renderConsole(
    <JobList
      jobs={[
        aJob(),
        aJob({ name: 'sync-prices', outcome: 'running', duration_ms: null, every_ms: 60_000 }),
        aJob({ name: 'unknown-job', outcome: 'failed', error: 'refused' }),
        aJob({ name: 'retain-logs', outcome: 'running', progress: { removed: 1200, percent: 12 } }),
        aJob({ name: 'retain-sums', progress: { removed: 1200, percent: 100 } }),
      ]}
    />,
  )
  const [mails, prices, unknown, logs, sums] = rows()
  expect([mails?.[0], mails?.[1], mails?.[3], mails?.[4]]).toEqual(['Send mails', 'Done', '1.2 s', 'every 30 seconds'])
  expect([prices?.[0], prices?.[1], prices?.[3]]).toEqual(['Sync prices', 'Running', '–'])
  expect(prices?.[4]).toMatch(/ago$/)
  expect([unknown?.[0], unknown?.[1]]).toEqual(['unknown-job', 'Failed'])
  expect([logs?.[0], logs?.[1]]).toEqual(['Remove old usage log rows', 'Running · 12 %, 1,200 rows'])
  expect(sums?.[1]).toBe('Done')
})
