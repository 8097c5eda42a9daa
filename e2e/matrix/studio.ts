import { generateKeyPairSync } from 'node:crypto'

import { priceRoutes, type PriceEntry } from '@tollgate/contract'
import { z } from 'zod'

import { openLedgerAudit } from '../ledger-audit'
import { aWorld, untilAllKnow, type World } from '../world'
import { loggedCall } from './logged-call'

/** A vendor that is stood in for: the channel that reaches it, what its model costs, and what it answers. */
export interface StudioVendor {
  readonly name: string
  readonly type: number
  readonly model: string
  /** Another name for the model, which the channel maps to it. */
  readonly alias?: string
  readonly key?: string
  readonly other?: string
  readonly price: PriceEntry
  /** What one call costs, in quota. */
  readonly quota: number
  /** Returns the response to a call; null when its path or its request is not the vendor's. */
  readonly response: (call: StudioCall) => Response | object | null
}

export interface StudioCall {
  readonly path: string
  /** As `?alt=sse`; empty without one. */
  readonly query: string
  readonly headers: Headers
  /** The JSON of the body, or the fields of a form. */
  readonly body: Readonly<Record<string, unknown>>
}

/** A world whose gateway has a channel to each vendor of a studio. */
export interface StudioWorld extends World {
  /** Makes a call of a model. Resolves with what it returned and what it cost. */
  measureCharge<Answer>(model: string, call: () => Promise<Answer>): Promise<{ response: Answer; quota: number }>
}

/** A key of Google's form, for which a studio gives tokens. */
export const serviceAccount = JSON.stringify({
  project_id: 'a-project',
  client_email: 'gate@a-project.iam.gserviceaccount.com',
  private_key_id: 'a-key',
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
})

/** Returns a stream of server-sent events. */
export const inEvents = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } })

/** Returns a stream of events without names. */
export const dataEvents = (...events: readonly object[]): Response =>
  inEvents(events.map((event) => `data:${JSON.stringify(event)}\n\n`).join(''))

/** Starts a world with a stand-in for each vendor, and sets the prices of their models. */
export async function aStudioWorld(vendors: readonly StudioVendor[]): Promise<StudioWorld> {
  const studio = startStudio(vendors)
  const world = await aWorld({ models: ['gpt-4o'] })
  const items = vendors.flatMap((vendor) => namesOf(vendor).map((model) => ({ model, entry: vendor.price })))
  await world.console.call(priceRoutes.putPrices, { body: { items } })
  for (const [index, vendor] of vendors.entries()) {
    const { name, type, model, alias, key = 'not-a-real-key', other } = vendor
    const base_url = `${studio.url}${index}`
    const mapped = alias && { model_mapping: JSON.stringify({ [alias]: model }) }
    const models = namesOf(vendor).join(',')
    await world.console.addChannel({ name, type, key, models, base_url, ...mapped, ...(other && { other }) })
  }
  const models = vendors.flatMap(namesOf)
  await untilAllKnow(world.gateway, world.key, models)
  const ledger = openLedgerAudit(world.gateway.dataDir)
  return {
    ...world,
    async measureCharge(model, call) {
      const { answer: response, row } = await loggedCall(ledger, model, call)
      return { response, quota: row.quota }
    },
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
      await studio.stop(true)
    },
  }
}

const namesOf = ({ model, alias }: StudioVendor): readonly string[] => (alias ? [model, alias] : [model])

/** Stands in for all of them, each behind its own prefix, and gives tokens for service accounts. */
function startStudio(vendors: readonly StudioVendor[]) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search: query } = new URL(request.url)
      if (pathname.endsWith('/token')) return Response.json({ access_token: 'a-token', expires_in: 3599 })
      const [, place = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(pathname) ?? []
      const call = { path, query, headers: request.headers, body: await bodyOf(request) }
      const response = vendors[Number(place)]?.response(call) ?? null
      if (response === null) return Response.json({ error: { message: `Not served: ${path}` } }, { status: 404 })
      return response instanceof Response ? response : Response.json(response)
    },
  })
}

const AnyObject = z.record(z.string(), z.unknown())

async function bodyOf(request: Request): Promise<Record<string, unknown>> {
  if (request.headers.get('content-type')?.startsWith('multipart/') !== true)
    return AnyObject.parse(await request.json())
  const fields: Record<string, unknown> = {}
  for (const [name, value] of await request.formData()) fields[name.replace('[]', '')] = value
  return fields
}
