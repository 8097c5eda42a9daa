import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { HurriedTime } from '../../gateway/test/hurried-time'
import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { quotaByTokens } from '../formula'
import { until } from '../ledger-view'
import type { World } from '../world'
import { aMatrixWorld, ratio, upstreams } from './matrix-world'
import { ModeTable } from './mode-table'

setDefaultTimeout(120_000)

const columns = ['made', 'cancelled', 'failed'] as const
const [completed, cancelled, failed] = columns
const table = new ModeTable({
  heading: '# In the background',
  intro:
    'Responses with `background: true` by OpenAI’s SDK over each dialect: created, retrieved when they are there and charged once by the published formula; cancelled while the upstream is silent; failed with the upstream’s reason. The last two cost nothing.',
  columns,
})

let world: World
const time = new HurriedTime()
let ledgerAudit: LedgerAudit
beforeAll(async () => {
  world = await aMatrixWorld(time.parts)
  ledgerAudit = openLedgerAudit(world.gateway.dataDir)
})
afterAll(async () => {
  await ledgerAudit[Symbol.asyncDispose]()
  // What was cancelled is read on until the gateway cuts it.
  await time.hurry(world[Symbol.asyncDispose]())
  await table.keep()
})

describe.each(upstreams)('a response in the background over $dialect', ({ dialect, model }) => {
  const begin = () => world.client.responses.create({ model, input: 'hello there', background: true })
  const waitUntilEnded = (id: string) =>
    time.hurry(
      until(
        () => world.client.responses.retrieve(id),
        ({ status }) => status !== 'queued' && status !== 'in_progress',
      ),
    )
  const chargesOf = async (id: string) => (await ledgerAudit.logs()).filter((row) => row.request_id === id)

  test('a response in the background completes and is charged once', async () => {
    const { id } = await begin()
    const response = await waitUntilEnded(id)
    expect(response).toMatchObject({ id, status: 'completed' })
    expect(response.output_text).not.toBe('')
    const [row] = await until(
      () => chargesOf(id),
      ({ length }) => length > 0,
    )
    const tokens = { prompt: row?.prompt_tokens ?? 0, completion: row?.completion_tokens ?? 0 }
    expect(tokens.completion).toBe(response.usage?.output_tokens ?? -1)
    expect(row?.quota).toBe(quotaByTokens(ratio, tokens))
    expect(await chargesOf(id)).toHaveLength(1)
    table.pass(dialect, completed, 'w')
  })

  test('a response in the background ends when it is cancelled while its upstream is silent', async () => {
    const { length: before } = world.simulator.requests
    world.simulator.next({ fault: { kind: 'stall', when: 'before-headers' } })
    const { id } = await begin()
    await time.hurry(world.simulator.arrival(before + 1))
    expect((await world.client.responses.cancel(id)).status).toBe('cancelled')
    expect(await chargesOf(id)).toEqual([])
    table.pass(dialect, cancelled, 'w')
  })

  test('a response in the background fails with the reason of its upstream', async () => {
    world.simulator.next({ fault: { kind: 'status', status: 400 } })
    const { id } = await begin()
    const response = await waitUntilEnded(id)
    expect(response.status).toBe('failed')
    expect(response.error?.message).not.toBe('')
    expect(await chargesOf(id)).toEqual([])
    table.pass(dialect, failed, 'w')
  })
})
