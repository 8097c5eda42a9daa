import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { userRoutes } from '@tollgate/contract'
import { startBatchVendor } from '@tollgate/simulator'

import { Console } from '../e2e/console'
import { startGateway } from '../e2e/gateway'
import { familyOf } from './processes'

/**
 * Measures the memory of a gateway that has a batch of many calls made, by a vendor and by itself: the largest resident memory of its processes, until the
 * calls are checked and until all are charged.
 */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '10000' },
    /** Bytes of the prompt of each. */
    bytes: { type: 'string', default: '2000' },
    'database-url': { type: 'string', default: '' },
    /** Who makes the calls; both where it is absent. */
    by: { type: 'string' },
  },
})

const allowedMegabytes = 200
const model = 'gpt-4.1'
const lines = Number(values.lines)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const usage = { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 }
const text = 'An answer of some length. '.repeat(40)
const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }]
const inner = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => Response.json({ id: 'c', object: 'chat.completion', created: 1, model, choices, usage }),
})

let maxMegabytes = 0
for (const by of ['vendor', 'gateway'] as const)
  if ((values.by ?? by) === by) maxMegabytes = Math.max(maxMegabytes, await measure(by))
console.log(`At most ${maxMegabytes.toFixed(0)} MB of ${allowedMegabytes}`)
await inner.stop(true)
process.exitCode = maxMegabytes > allowedMegabytes ? 1 : 0

/** Returns the largest memory in MB. @throws Error where a call was not made, or not once. */
async function measure(by: 'vendor' | 'gateway'): Promise<number> {
  await using vendor = await startBatchVendor({ kind: 'openai', inner: String(inner.url).replace(/\/$/, '') })
  await using gateway = await startGateway({ databaseUrl: values['database-url'] })
  const admin = await Console.setUp(gateway.url, { username: 'root', password: 'not-a-real-password' })
  const setting = JSON.stringify({ vendor_batches: by === 'vendor' ? 'on' : 'off' })
  await admin.addChannel({ name: 'vendor', models: model, base_url: vendor.url, setting })
  await admin.setOptions({ BatchMaxLines: String(lines) })
  await admin.call(userRoutes.updateUser, { body: { id: admin.userId, quota: 1_000_000_000_000 } })
  const key = await admin.addToken({ name: 'bench' })
  const beganAt = performance.now()
  const peak = () => maxMemoryOf(familyOf(gateway.processId))
  const report = (what: string) => {
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(0)
    console.log(`${lines} calls of a batch made by the ${by}, ${what} after ${seconds} s: ${peak().toFixed(0)} MB`)
  }
  const caller = { url: gateway.url, key }
  report('none')
  const fileId = await uploadLines(caller)
  report('uploaded')
  const { id } = await call(caller, '/v1/batches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' }),
  })
  report('checked and held')
  let batch: Record<string, unknown> = {}
  while (batch['status'] !== 'completed') {
    await Bun.sleep(500)
    batch = await call(caller, `/v1/batches/${String(id)}`)
    if (batch['status'] === 'failed' || batch['status'] === 'expired') throw new Error(`It is ${batch['status']}`)
  }
  report('charged')
  const counts = JSON.stringify(batch['request_counts'])
  if (counts !== JSON.stringify({ total: lines, completed: lines, failed: 0 })) throw new Error(`It has ${counts}`)
  const { size } = vendor.batchBook.batches
  if (size !== (by === 'vendor' ? 1 : 0)) throw new Error(`The vendor made ${size} batches`)
  return peak()
}

/** Returns the largest resident memory that processes have had, in MB; pages of files, which they share, count once. */
function maxMemoryOf(processIds: readonly number[]): number {
  const statuses = processIds.map((processId) => readFileSync(`/proc/${processId}/status`, 'utf8'))
  const megabytesOf = (field: string) =>
    statuses.map((status) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  const sum = (some: readonly number[]) => some.reduce((total, value) => total + value, 0)
  const ofFiles = megabytesOf('RssFile')
  return sum(megabytesOf('VmHWM')) - sum(ofFiles) + Math.max(...ofFiles)
}

interface Caller {
  readonly url: string
  readonly key: string
}

async function uploadLines(caller: Caller): Promise<unknown> {
  const prompt = 'Words of a prompt. '.repeat(Math.ceil(Number(values.bytes) / 19)).slice(0, Number(values.bytes))
  const body = { model, max_tokens: 300, messages: [{ role: 'user', content: prompt }] }
  const line = (index: number) =>
    JSON.stringify({ custom_id: `line-${index}`, method: 'POST', url: '/v1/chat/completions', body })
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([Array.from({ length: lines }, (_, index) => line(index)).join('\n')], 'lines.jsonl'))
  const { id } = await call(caller, '/v1/files', { method: 'POST', body: form })
  return id
}

interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
}

async function call({ url, key }: Caller, path: string, init: Request = {}): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  const response = await fetch(`${url}${path}`, { ...init, headers, signal: AbortSignal.timeout(600_000) })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`)
  return body
}
