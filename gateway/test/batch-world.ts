import { expect } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import type { JsonObject } from '@tollgate/dialects'
import { startBatchVendor, type BatchVendor, type BatchVendorOptions } from '@tollgate/simulator'
import OpenAI from 'openai'

import { differencesIn } from '../src/app/commands/differences'
import type { BatchRunner } from '../src/relay/batches/batch-runner'
import { claimMs } from '../src/tasks/batches/batch-store'
import type { DatabaseKind } from '../src/platform/store/database'
import { createRelayWorld, type RelayWorld } from './relay-world'

/** 10 tokens at 2 dollars and 20 at 8 dollars a million, half a million quota a dollar. */
export const callCost = 10 * 1 + 20 * 4

export const completion = (): Response => {
  const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Forty-two' }, finish_reason: 'stop' }]
  return Response.json({ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4.1', choices, usage })
}

export const message = (): Response =>
  Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [{ type: 'text', text: 'Forty-two' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 20, service_tier: 'batch' },
  })

/** Returns a line of a batch of chat completions. */
export const chatLine = (id: string, content = 'why?', more: object = {}): string =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4.1', max_tokens: 50, messages: [{ role: 'user', content }] },
    ...more,
  })

/** A call of OpenAI or Anthropic, or one of Google. */
interface CalledBody {
  readonly messages?: { readonly content: string | readonly TextPart[] }[]
  readonly contents?: { readonly parts: readonly TextPart[] }[]
}

interface TextPart {
  readonly text: string
}

const textOf = (content: string | readonly TextPart[]): string =>
  typeof content === 'string' ? content : (content[0]?.text ?? '')

/** A relay world with one upstream, whose calls a test answers. */
export class BatchWorld implements AsyncDisposable {
  /** The last message of each call that the upstream got. */
  readonly contents: string[] = []
  reply: (content: string) => Response | Promise<Response> = completion
  /** Called with the body of each call that the upstream gets. */
  onBody: (body: JsonObject) => void = () => {}
  /** Stand-ins that have batches, in front of the upstream; null: the channel calls it itself. */
  #vendors: { readonly openAi: BatchVendor; readonly anthropic: BatchVendor } | null = null

  readonly #others: BatchVendor[] = []

  readonly #upstream = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const body = (await request.json()) as JsonObject & CalledBody
      this.onBody(body)
      const content = textOf(body.messages?.at(-1)?.content ?? body.contents?.at(-1)?.parts ?? '')
      this.contents.push(content)
      return this.reply(content)
    },
  })

  private constructor(readonly relay: RelayWorld) {}

  static async create(kind: DatabaseKind): Promise<BatchWorld> {
    const world = new BatchWorld(await createRelayWorld({ kind }))
    await world.relay.addChannel({
      base_url: world.#inner,
      models: 'gpt-4.1',
      name: 'ours',
      setting: JSON.stringify({ max_retries: 0 }),
    })
    return world
  }

  /** Creates one whose channels, of OpenAI and of Anthropic, are of vendors with batches. */
  static async withVendors(kind: DatabaseKind): Promise<BatchWorld> {
    const world = new BatchWorld(await createRelayWorld({ kind }))
    const inner = world.#inner
    const openAi = await startBatchVendor({ kind: 'openai', inner })
    const anthropic = await startBatchVendor({ kind: 'anthropic', inner })
    world.#vendors = { openAi, anthropic }
    const setting = JSON.stringify({ vendor_batches: 'on' })
    await world.relay.addChannel({ base_url: openAi.url, models: 'gpt-4.1', name: 'ours', setting })
    await world.relay.addChannel({
      type: 14,
      base_url: anthropic.url,
      models: 'claude-opus-4-6',
      name: 'theirs',
      setting,
    })
    return world
  }

  /** Adds a stand-in with batches, and a channel there. */
  async addVendor(
    kind: BatchVendorOptions['kind'],
    { setting: more = {}, key, ...channel }: { type: number; models: string; key?: string; setting?: object },
  ): Promise<BatchVendor> {
    const vendor = await startBatchVendor({ kind, inner: this.#inner })
    this.#others.push(vendor)
    const setting = JSON.stringify({ vendor_batches: 'on', ...more })
    const sealed = key === undefined ? {} : { key_sealed: this.relay.ctx.seal.seal(key) }
    await this.relay.addChannel({ ...channel, ...sealed, base_url: vendor.url, name: kind, setting })
    return vendor
  }

  get #inner(): string {
    return String(this.#upstream.url).replace(/\/$/, '')
  }

  get vendors(): { readonly openAi: BatchVendor; readonly anthropic: BatchVendor } {
    if (!this.#vendors) throw new Error('The world has no vendors with batches')
    return this.#vendors
  }

  /** Brings back what tests change. */
  async reset(): Promise<void> {
    this.contents.length = 0
    this.reply = completion
    this.relay.forgetHealth()
  }

  /** Runs batches as a worker does, until none is left. */
  async runAll(runner = this.relay.newBatchRunner()): Promise<void> {
    await runner.tick()
    await runner.whenIdle()
  }

  /** Does so as time passes until all batches have ended. */
  async runOut(runner?: BatchRunner): Promise<void> {
    const { query } = this.relay.ctx.database
    for (let round = 0; round < 100; round += 1) {
      await this.runAll(runner)
      const open = await query.selectFrom('batches').select('task_id').where('claimed_until', 'is not', null).execute()
      if (open.length === 0) return
      await this.wakeAll()
    }
    throw new Error('A batch does not end')
  }

  /** Batches that are left alone, or whose worker died, are due. */
  async wakeAll(): Promise<void> {
    const claimed_until = this.relay.ctx.clock.now() - claimMs
    await this.relay.ctx.database.query
      .updateTable('batches')
      .set({ claimed_until })
      .where('claimed_until', 'is not', null)
      .execute()
  }

  openAi(apiKey: string): OpenAI {
    return new OpenAI({ apiKey, baseURL: `${this.relay.url}/v1`, maxRetries: 0 })
  }

  anthropic(apiKey: string): Anthropic {
    return new Anthropic({ apiKey, baseURL: this.relay.url, maxRetries: 0 })
  }

  async submit(apiKey: string, lines: readonly string[], more: object = {}): Promise<OpenAI.Batch> {
    const client = this.openAi(apiKey)
    const file = await client.files.create({ file: new File([lines.join('\n')], 'in.jsonl'), purpose: 'batch' })
    const order = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const
    return client.batches.create({ ...order, ...more })
  }

  /** Resolves with the results in a file; none where there is no file. */
  async linesOf(apiKey: string, fileId: string | null | undefined): Promise<JsonObject[]> {
    if (!fileId) return []
    const text = await (await this.openAi(apiKey).files.content(fileId)).text()
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject)
  }

  /** Resolves with a user of this balance, whose key has the same. */
  async addPayer(quota: number) {
    const { userId, key } = await this.relay.addPayer(quota, quota)
    const { database, ledger } = this.relay.ctx
    const { query } = database
    const books = async () => {
      await ledger.waitUntilApplied()
      const user = await query.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
      const token = await query
        .selectFrom('tokens')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      const held = await query.selectFrom('holds').select('amount').where('user_id', '=', userId).execute()
      return {
        user: (await ledger.balanceOf([userId])).get(userId) ?? NaN,
        used: user.used_quota,
        token: (await ledger.tokenBalanceOf([token.id])).get(token.id) ?? NaN,
        held: held.length,
      }
    }
    return { userId, key, books }
  }

  /** Fails where `tollgate reconcile` would find something. */
  async requireClean(): Promise<void> {
    const { clock, database, ledger } = this.relay.ctx
    await ledger.waitUntilApplied()
    expect(await differencesIn(database.query, clock.seconds())).toEqual([])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.relay[Symbol.asyncDispose]()
    await this.#vendors?.openAi[Symbol.asyncDispose]()
    await this.#vendors?.anthropic[Symbol.asyncDispose]()
    for (const vendor of this.#others) await vendor[Symbol.asyncDispose]()
    await this.#upstream.stop(true)
  }
}
