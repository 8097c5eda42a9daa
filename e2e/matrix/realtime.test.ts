import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { GoogleGenAI, Modality } from '@google/genai'
import { RealtimeUpstream, type RealtimeUsage } from '@tollgate/simulator'
import OpenAI, { AzureOpenAI } from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'

import { cannotMakeCertificates } from '../../gateway/test/tls'
import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { quotaByTokens, type Priced } from '../formula'
import { until } from '../ledger-view'
import { startTlsFront, type TlsFront } from '../tls-front'
import { aWorld, untilAllKnow, type World } from '../world'
import { loggedCall } from './logged-call'
import { ModeTable } from './mode-table'

setDefaultTimeout(120_000)

const table = new ModeTable({
  heading: '# Realtime',
  intro:
    'Sessions over a WebSocket by OpenAI’s SDK, with each vendor’s protocol behind OpenAI’s events, and by Google’s SDK where the vendor speaks its protocol. Charges of each response, and of a session that a client opens with a secret of its own, by the published formula.',
  columns: ['responses', 'client secrets', 'Google’s SDK'],
})

/** Ratios of the shipped prices, to those of text that is read. */
const vendors = [
  {
    name: 'OpenAI',
    shape: 'openai',
    type: 1,
    model: 'gpt-realtime',
    price: { model: 2, completion: 4, audio: 8, audioCompletion: 2, cache: 0.1 },
  },
  {
    name: 'Azure OpenAI',
    shape: 'openai',
    type: 3,
    model: 'gpt-realtime-mini',
    price: { model: 0.3, completion: 4, audio: 10 / 0.6, audioCompletion: 2, cache: 0.1 },
  },
  {
    name: 'Google Gemini',
    shape: 'gemini',
    type: 24,
    model: 'gemini-3.1-flash-live-preview',
    price: { model: 0.375, completion: 6, audio: 4, audioCompletion: 4 },
  },
  {
    name: 'Alibaba DashScope',
    shape: 'dashscope',
    type: 17,
    model: 'qwen3-omni-flash-realtime',
    price: { model: 0.26, completion: 1.99 / 0.52, audio: 4.57 / 0.52, audioCompletion: 18.13 / 4.57 },
  },
] as const satisfies readonly { readonly price: Priced; readonly [name: string]: unknown }[]

const upstreams = vendors.map(({ shape }) => RealtimeUpstream.start(shape))
let world: World
let ledgerAudit: LedgerAudit
let front: TlsFront
beforeAll(async () => {
  world = await aWorld({ models: ['gpt-4o'] })
  for (const [index, { name, type, model }] of vendors.entries()) {
    const base_url = upstreams[index]?.url ?? ''
    await world.console.addChannel({ name, type, key: 'not-a-real-key', models: model, base_url })
  }
  await untilAllKnow(
    world.gateway,
    world.key,
    vendors.map(({ model }) => model),
  )
  ledgerAudit = openLedgerAudit(world.gateway.dataDir)
  if (!cannotMakeCertificates) front = startTlsFront(world.gateway.port)
})
afterAll(async () => {
  front?.[Symbol.dispose]()
  await ledgerAudit[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  for (const upstream of upstreams) await upstream[Symbol.asyncDispose]()
  if (!cannotMakeCertificates) await table.keep()
})

/** A session of the SDK, which connects over TLS only. */
async function aSession(model: string, key = world.key) {
  const client = new OpenAI({ apiKey: key, baseURL: `${front.url}/v1` })
  const session = new OpenAIRealtimeWS({ model, options: { rejectUnauthorized: false } }, client)
  const done: OpenAI.Realtime.RealtimeResponse[] = []
  const failures: unknown[] = []
  session.on('response.done', ({ response }) => void done.push(response))
  session.on('error', (error) => void failures.push(error))
  await new Promise<void>((resolve) => session.once('session.created', () => resolve()))
  return {
    session,
    failures,
    async respond() {
      const { length } = done
      session.send({ type: 'response.create' })
      await until(
        async () => done.length,
        (count) => count > length,
      )
      return done.at(-1)
    },
    [Symbol.dispose]: () => session.close(),
  }
}

const textItem = (text: string): OpenAI.Realtime.ConversationItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

const usage: RealtimeUsage = { textIn: 700, audioIn: 1300, textOut: 90, audioOut: 410 }
const expectedQuotaOf = (price: Priced) =>
  quotaByTokens(price, { prompt: 2000, audio: 1300, completion: 500, audioOut: 410 })

describe.skipIf(cannotMakeCertificates).each(vendors.map((vendor, index) => ({ ...vendor, index })))(
  '$name',
  ({ name, model, price, index }) => {
    test('responds in speech, charged by the formula', async () => {
      using client = await aSession(model)
      client.session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'be brief' } })
      client.session.send({ type: 'conversation.item.create', item: textItem('Hello') })
      upstreams[index]?.next({ usage, text: 'Good day' })
      const { answer: reply, row } = await loggedCall(ledgerAudit, model, () => client.respond())
      expect(reply).toMatchObject({ status: 'completed', usage: { input_tokens: 2000, output_tokens: 500 } })
      const [item] = reply?.output ?? []
      expect(item).toMatchObject({ content: [{ transcript: 'Good day' }] })
      expect(row.quota).toBe(expectedQuotaOf(price))
      expect(client.failures).toEqual([])
      table.pass(name, 'responses', 's')
    })

    test('opens a session with a client secret', async () => {
      const secret = await world.client.realtime.clientSecrets.create({
        expires_after: { anchor: 'created_at', seconds: 60 },
        session: { type: 'realtime', model },
      })
      using client = await aSession(model, secret.value)
      client.session.send({ type: 'conversation.item.create', item: textItem('Hello') })
      upstreams[index]?.next({ usage })
      const { row } = await loggedCall(ledgerAudit, model, () => client.respond())
      expect(row.quota).toBe(expectedQuotaOf(price))
      table.pass(name, 'client secrets', 's')
    })
  },
)

test('Google’s SDK opens a session with Gemini, charged by the formula', async () => {
  const { name, model, price } = vendors[2]
  const google = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
  const completed = Promise.withResolvers<void>()
  const heard: string[] = []
  const session = await google.live.connect({
    model,
    config: { responseModalities: [Modality.AUDIO], outputAudioTranscription: {}, systemInstruction: 'be brief' },
    callbacks: {
      onmessage({ serverContent }) {
        heard.push(serverContent?.outputTranscription?.text ?? '')
        if (serverContent?.turnComplete) completed.resolve()
      },
      onclose: ({ reason }) => completed.reject(new Error(reason)),
    },
  })
  upstreams[2]?.next({ usage, text: 'Good day' })
  const { row } = await loggedCall(ledgerAudit, model, async () => {
    session.sendClientContent({ turns: 'Hello' })
    await completed.promise
  })
  expect(heard.join('')).toBe('Good day')
  expect(row.quota).toBe(expectedQuotaOf(price))
  session.close()
  table.pass(name, 'Google’s SDK', 's')
})

test.skipIf(cannotMakeCertificates)('Azure’s client of OpenAI’s SDK opens a session', async () => {
  const { model } = vendors[0]
  const client = new AzureOpenAI({ apiKey: world.key, endpoint: front.url, apiVersion: '2025-04-01-preview' })
  const options = { rejectUnauthorized: false }
  const session = await OpenAIRealtimeWS.azure(client, { deploymentName: model, options })
  const { session: created } = await new Promise<OpenAI.Realtime.SessionCreatedEvent>((resolve) =>
    session.once('session.created', resolve),
  )
  expect(created).toMatchObject({ model })
  session.close()
})

test.skipIf(cannotMakeCertificates)('Gemini calls a tool of the client', async () => {
  const { model } = vendors[2]
  using client = await aSession(model)
  const weather = {
    type: 'function' as const,
    name: 'weather',
    description: 'of a city',
    parameters: { type: 'object' },
  }
  client.session.send({ type: 'session.update', session: { type: 'realtime', tools: [weather] } })
  client.session.send({ type: 'conversation.item.create', item: textItem('And in Paris?') })
  const reply = await client.respond()
  expect(reply?.output?.[0]).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Paris"}' })
})
