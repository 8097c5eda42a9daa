import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { userRoutes } from '@tollgate/contract'
import { startBatchVendor } from '@tollgate/simulator'

import { Console } from '../e2e/console'
import { startGateway } from '../e2e/gateway'
import { familyOf } from './processes'

/**
 * Measures what memory a batch of many calls takes that a vendor makes: by how much the largest resident memory of the gateway's processes has grown when
 * its calls are checked, and when all results are charged.
 */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '10000' },
    /** Bytes of the prompt of each. */
    bytes: { type: 'string', default: '2000' },
    'database-url': { type: 'string', default: '' },
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
await using vendor = await startBatchVendor({ kind: 'openai', inner: String(inner.url).replace(/\/$/, '') })
await using gateway = await startGateway({ databaseUrl: values['database-url'] })
const admin = await Console.setUp(gateway.url, { username: 'root', password: 'not-a-real-password' })
const setting = JSON.stringify({ vendor_batches: 'on' })
await admin.addChannel({ name: 'vendor', models: model, base_url: vendor.url, setting })
await admin.setOptions({ BatchMaxLines: String(lines) })
await admin.call(userRoutes.updateUser, { body: { id: admin.userId, quota: 1_000_000_000_000 } })
const key = await admin.addToken({ name: 'bench' })

const before = peak()
const beganAt = performance.now()
const { id } = await submit()
report('checked and held', before)
for (let status = ''; status !== 'completed'; await Bun.sleep(500)) {
  const batch = await call(`/v1/batches/${String(id)}`)
  status = String(batch['status'])
  if (status === 'failed' || status === 'expired') throw new Error(`The batch is ${status}`)
}
const grown = report('made and charged', before)
const { request_counts: counts } = await call(`/v1/batches/${String(id)}`)
console.log(
  `${JSON.stringify(counts)}; ${vendor.batchBook.batches.size} batch at the vendor; at most ${allowedMegabytes} MB are allowed`,
)
await inner.stop(true)
process.exitCode = grown > allowedMegabytes ? 1 : 0

/** Returns the largest resident memory that each process has had, in MB. */
function peak(): ReadonlyMap<number, number> {
  return new Map(
    familyOf(gateway.processId).map((processId) => {
      const status = readFileSync(`/proc/${processId}/status`, 'utf8')
      return [processId, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024]
    }),
  )
}

/** Prints by how much that of the process has grown whose memory grew most, and returns it. */
function report(what: string, earlier: ReadonlyMap<number, number>): number {
  const growths = [...peak()].map(([processId, now]) => ({ now, grown: now - (earlier.get(processId) ?? 0) }))
  const { now, grown } = growths.toSorted((one, other) => other.grown - one.grown)[0] ?? { now: 0, grown: 0 }
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(0)
  console.log(
    `${lines} calls ${what} after ${seconds} s: at most ${now.toFixed(0)} MB, ${grown.toFixed(0)} MB more than before`,
  )
  return grown
}

async function submit(): Promise<Record<string, unknown>> {
  const prompt = 'Words of a prompt. '.repeat(Math.ceil(Number(values.bytes) / 19)).slice(0, Number(values.bytes))
  const body = { model, max_tokens: 300, messages: [{ role: 'user', content: prompt }] }
  const line = (index: number) =>
    JSON.stringify({ custom_id: `line-${index}`, method: 'POST', url: '/v1/chat/completions', body })
  const form = new FormData()
  form.set('purpose', 'batch')
  form.set('file', new File([Array.from({ length: lines }, (_, index) => line(index)).join('\n')], 'lines.jsonl'))
  const { id: fileId } = await call('/v1/files', { method: 'POST', body: form })
  report('uploaded', before)
  return call('/v1/batches', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' }),
  })
}

interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
}

async function call(path: string, init: Request = {}): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  const response = await fetch(`${gateway.url}${path}`, { ...init, headers, signal: AbortSignal.timeout(600_000) })
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`)
  return body
}
