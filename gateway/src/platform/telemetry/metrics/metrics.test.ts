import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '../../time/clock'
import { FakeTime } from '../../../../test/fake-time'
import { ledgerOptions } from '../../../../test/ledger'
import { createRelayWorld, type RelayWorld } from '../../../../test/relay-world'
import { openLedger } from '../../../billing/ledger/open-ledger'
import { saveBackup } from '../../../operations/save-backup'
import { exposition } from './metrics-route'
import { registerGauges } from '../../../app/process/gauges'
import { Metrics } from './metrics'
import { serveMetrics, ownMetrics } from './metrics-route'

/** What watches the event loop runs for as long as the worker. */
const timers = new FakeTime()
const idle = { readiness: { isReady: true }, limiter: { isAlone: false } }

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  registerGauges({ ...world.ctx, timers }, { ...idle, inFlight: world.inFlight })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const token = 'not-a-real-token'
const requestMetrics = (metricsToken: string, authorization: string) =>
  serveMetrics(new Request('http://gateway.test/metrics', { headers: { authorization } }), {
    metricsToken,
    all: ownMetrics(world.ctx.metrics),
  })
const read = async () => (await requestMetrics(token, `Bearer ${token}`)).text()

describe('the metrics', () => {
  test('the metrics count the files that were set aside from journals, those of earlier starts and new ones', async () => {
    const options = ledgerOptions(world.ctx.database)
    const setAside = (name: string) => writeFileSync(join(options.journalFolder, `${name}.journal.sqlite.damaged`), 'x')
    setAside('earlier')
    const ledger = await openLedger(options)
    const metrics = new Metrics()
    registerGauges({ ...world.ctx, timers, ledger, metrics }, { ...idle, inFlight: world.inFlight })
    const readSetAside = async () =>
      exposition(await ownMetrics(metrics)()).match(/^tollgate_journal_set_aside_files .*$/m)?.[0]
    expect(await readSetAside()).toBe('tollgate_journal_set_aside_files 1')
    setAside('new')
    await ledger.beat()
    expect(await readSetAside()).toBe('tollgate_journal_set_aside_files 2')
    await ledger.close()
  })

  test('the metrics count calls, attempts, tokens and charges', async () => {
    world.simulator.next({ tokens: 3, promptTokens: 7 })
    await (await world.chat()).text()
    world.simulator.when(() => true, { fault: { kind: 'status', status: 400, body: {} } })
    await (await world.chat()).text()
    const text = await read()
    expect(text).toContain('tollgate_calls_total{dialect="openai-chat",status="2xx"} 1')
    expect(text).toContain('tollgate_calls_total{dialect="openai-chat",status="4xx"} 1')
    expect(text).toContain('tollgate_upstream_attempts_total{outcome="served"} 1')
    expect(text).toContain('tollgate_upstream_attempts_total{outcome="refused"} 1')
    expect(text).toContain('tollgate_tokens_total{kind="prompt"} 7')
    expect(text).toContain('tollgate_tokens_total{kind="completion"} 3')
    expect(text).toContain('tollgate_charges_total 1')
    for (const stage of ['admit', 'prepare', 'settle'])
      expect(text).toMatch(new RegExp(`tollgate_overhead_seconds_count\\{stage="${stage}"\\} [1-9]`))
  })

  test('the metrics report what the worker holds', async () => {
    const text = await read()
    expect(text).toContain('tollgate_channels 1')
    const names = [
      'leases',
      'journal_depth',
      'breakers_open',
      'cooling_keys',
      'limited_calls',
      'waiting_calls',
      'ready',
      'database_up',
      'limits_alone',
      'disk_free_bytes',
      'dropped_records_total',
      'event_loop_delay_seconds_count',
    ]
    const ofProcess = ['resident_memory_bytes', 'start_time_seconds', 'cpu_seconds_total', 'open_fds', 'max_fds']
    for (const name of [...names.map((name) => `tollgate_${name}`), ...ofProcess.map((name) => `process_${name}`)])
      expect(text).toMatch(new RegExp(`^${name} [0-9.e+-]+$`, 'm'))
    expect(text).toMatch(/^tollgate_build_info\{version="[^"]+",runtime="bun [^"]+"\} 1$/m)
    expect(text).toMatch(/^tollgate_channel_attempts_total\{channel="1",outcome="served"\} [1-9]/m)
  })

  test('the metrics name no user and no key', async () => {
    const labels = new Set([...(await read()).matchAll(/[{,]([a-z]+)=/g)].map(([, label]) => label))
    expect([...labels].toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      'channel',
      'code',
      'dialect',
      'group',
      'kind',
      'le',
      'model',
      'name',
      'outcome',
      'reason',
      'runtime',
      'stage',
      'status',
      'version',
    ])
  })

  test('the metrics tell how long charged calls took by channel and model, what groups spent, and why calls failed', async () => {
    const value = (text: string, series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')
          .at(-1),
      )
    const series = [
      'tollgate_channel_call_seconds_count{channel="1"}',
      'tollgate_model_call_seconds_count{model="gpt-4o"}',
      'tollgate_channel_first_byte_seconds_count{channel="1"}',
      'tollgate_model_first_byte_seconds_count{model="gpt-4o"}',
      'tollgate_failed_calls_total{code="upstream.refused"}',
      'tollgate_calls_total{dialect="openai-chat",status="429"}',
      'tollgate_calls_total{dialect="openai-chat",status="4xx"}',
    ]
    const counts = async () => {
      const text = await read()
      return series.map((name) => value(text, name) || 0)
    }
    const before = await counts()
    const quota = value(await read(), 'tollgate_group_quota_total{group="default"}')
    world.simulator.next({ tokens: 3, promptTokens: 7 })
    await (await world.chat()).text()
    await (await world.chat({ stream: true })).text()
    world.simulator.when(() => true, { fault: { kind: 'status', status: 429, body: {} } })
    expect((await world.chat()).status).toBe(429)
    const after = await counts()
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([2, 2, 1, 1, 1, 1, 0])
    expect(value(await read(), 'tollgate_group_quota_total{group="default"}')).toBeGreaterThan(quota)
    const sums = /^tollgate_channel_(?:cost_)?quota_total\{channel="\d+"\} [1-9]/gm
    expect((await read()).match(sums)).toHaveLength(2)
  })

  test('the metrics tell when the last backup was complete, wherever it was saved', async () => {
    const lastBackup = async () =>
      Number(/^tollgate_backup_last_success_timestamp_seconds (\S+)$/m.exec(await read())?.[1])
    expect(await lastBackup()).toBe(0)
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-metrics-'))
    const before = systemClock.seconds()
    await saveBackup(world.ctx.config, join(folder, 'saved'))
    expect(await lastBackup()).toBeGreaterThanOrEqual(before)
    rmSync(folder, { recursive: true })
  })

  test('models and channels beyond the first hundred share a series', () => {
    const metrics = new Metrics()
    const usage = { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 }
    const measures = { wholeMs: 1500, firstTokenMs: 200 }
    for (let at = 1; at <= 250; at += 1) {
      const call = { channelId: at, modelName: `model ${at}`, group: `group ${at}`, measures }
      metrics.countCharge(usage as Parameters<typeof metrics.countCharge>[0], 2, call)
    }
    const samplesOf = (name: string) => metrics.read().find((reading) => reading.name === name)?.samples ?? []
    const counts = samplesOf('tollgate_model_call_seconds').filter(([series]) => series.includes('_count'))
    expect(counts).toHaveLength(101)
    expect(counts.at(0)).toEqual(['tollgate_model_call_seconds_count{model="model 1"}', 1])
    expect(counts.at(-1)).toEqual(['tollgate_model_call_seconds_count{model="other"}', 150])
    expect(samplesOf('tollgate_channel_first_byte_seconds')).toContainEqual([
      'tollgate_channel_first_byte_seconds_bucket{channel="other",le="0.25"}',
      150,
    ])
    expect(samplesOf('tollgate_group_quota_total').at(-1)).toEqual(['tollgate_group_quota_total{group="other"}', 400])
  })

  test('the metrics have a sample of every counter before its first event', async () => {
    const fresh = new Metrics()
    const readings = fresh
      .read()
      .filter(({ type, name }) => type === 'counter' && !/^tollgate_(channel_attempts|job_failures)/.test(name))
    expect(readings.filter(({ samples }) => samples.length === 0)).toEqual([])
    for (const { samples } of readings) for (const [, value] of samples) expect(value).toBe(0)
  })

  test('the metrics are the same for a second reader', async () => {
    const delays = (text: string) => Number(/^tollgate_event_loop_delay_seconds_count (\d+)$/m.exec(text)?.[1])
    const first = delays(await read())
    expect(delays(await read())).toBeGreaterThanOrEqual(first)
  })

  test('the metrics are for holders of the token, and for no one where there is none', async () => {
    expect((await requestMetrics(token, `Bearer ${token}`)).status).toBe(200)
    expect((await requestMetrics(token, 'Bearer wrong')).status).toBe(403)
    expect((await requestMetrics(token, '')).status).toBe(403)
    expect((await requestMetrics('', '')).status).toBe(403)
    expect((await requestMetrics('', 'Bearer ')).status).toBe(403)
  })
})

test('a response reports the gateway’s own time', async () => {
  const response = await world.chat()
  expect(response.headers.get('server-timing')).toMatch(/^gateway;dur=\d+\.\d{3}, upstream;dur=\d+\.\d$/)
})
