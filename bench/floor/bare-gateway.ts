import { openSync, writeSync } from 'node:fs'

import { Cancellation, pour, UpstreamClient } from '@tollgate/http-client'

import { systemClock as clock } from '../../gateway/src/platform/time/clock'
import { systemTimers } from '../../gateway/src/platform/time/timers'
import { isRung, type Rung } from './rungs'

/**
 * A gateway that does nothing it can leave out, on the runtime, the client and the kind of file that Tollgate has:
 * `bun bench/floor/bare-gateway.ts RUNG PORT UPSTREAM FILE`.
 */
const [, , rung = '', port = '', upstream = '', file = ''] = process.argv

/** About what a charge takes in the journal. */
const record = `${'x'.repeat(511)}\n`
const whole = Response.json({ id: 'x', choices: [{ message: { role: 'assistant', content: 'x'.repeat(200) } }] })
const text = await whole.text()
const json = { headers: { 'content-type': 'application/json' } }

const client = new UpstreamClient({ connectTimeoutMs: 5_000, usesProxy: false }, { clock, timers: systemTimers })

async function relay(request: Request): Promise<Response> {
  const body = await request.text()
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-upstream' }
  const url = `${upstream}/v1/chat/completions`
  const response = await client.send({ url, headers, body, proxy: undefined }, new Cancellation())
  const parts: Uint8Array<ArrayBuffer>[] = []
  await pour(response.body, (bytes) => parts.push(bytes) > 0)
  return new Response(Buffer.concat(parts), json)
}

const journal = file === '' ? null : openSync(file, 'a')
let written: Promise<void> | null = null
let records: string[] = []

/** Resolves when the records of this turn of the loop were written, with one write. */
function append(): Promise<void> {
  records.push(record)
  return (written ??= new Promise((resolve) => {
    setImmediate(() => {
      if (journal !== null) writeSync(journal, records.join(''))
      records = []
      written = null
      resolve()
    })
  }))
}

const rungs: Readonly<Record<Rung, (request: Request) => Promise<Response>>> = {
  server: async (request) => {
    await request.text()
    return new Response(text, json)
  },
  relay,
  append: async (request) => {
    const response = await relay(request)
    await append()
    return response
  },
}

if (!isRung(rung)) throw new Error(`There is no rung ${rung}`)
Bun.serve({ hostname: '127.0.0.1', port: Number(port), fetch: rungs[rung] })
