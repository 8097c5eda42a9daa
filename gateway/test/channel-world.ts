import { channelRoutes, Envelope, role } from '@tollgate/contract'

import { channelHandlers } from '../src/console-api/channels/channels'
import type { DatabaseKind } from '../src/platform/store/database'
import { anAccount, createTestConsole } from './console-client'
import { createWorld, type WorldOptions } from './world'

/** Part of every key, so that a leak is found by searching for it. */
export const canary = 'canary-secret'

/** A server with an administrator who calls the channel routes. Every response is searched for a key. */
export async function createChannelWorld(
  kind: DatabaseKind,
  options: Pick<WorldOptions, 'clock' | 'environment'> = {},
) {
  const world = await createWorld({ kind, ...options })
  const { ctx } = world
  const console = createTestConsole(ctx, channelHandlers)
  await ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const admin = await console.signIn((await anAccount(ctx, { username: 'admin', role: role.admin })).id)
  const user = await console.signIn((await anAccount(ctx, { username: 'ann' })).id)

  const call = async (method: string, path: string, body?: unknown, as = admin, language = 'en') => {
    const response = await console.send(method, path, { as, body, headers: { 'Accept-Language': language } })
    const text = await response.text()
    if (text.includes(canary)) throw new Error(`A key leaked: ${method} ${path}`)
    const reply = Envelope.parse(JSON.parse(text))
    const envelopeFields: Record<string, unknown> = reply
    return { status: response.status, ...reply, envelopeFields }
  }
  const aChannel = async (fields: Record<string, unknown> = {}) => {
    const blank = { type: 1, name: 'one', key: `sk-${canary}`, models: 'gpt-4o', group: 'default' }
    const reply = await call('POST', '/api/channel/', { ...blank, ...fields })
    if (!reply.success) throw new Error(`${reply.code}: ${reply.message}`)
    return channelRoutes.ChannelEntity.parse(reply.data)
  }
  return {
    ctx,
    user,
    ask: call,
    /** Resolves with the session of another account, for `ask`. */
    signIn: async (account: Parameters<typeof anAccount>[1]) => console.signIn((await anAccount(ctx, account)).id),
    aChannel,
    codeOf: async (...input: Parameters<typeof call>) => (await call(...input)).code,
    one: async (id: number) => channelRoutes.ChannelEntity.parse((await call('GET', `/api/channel/${id}`)).data),
    /** Returns which channels would serve a model, by tier. */
    serving: (model: string, group = 'default') =>
      ctx.catalog.current.routes
        .get(group)
        ?.get(model)
        ?.map((tier) => tier.candidates.map(({ channel }) => channel.id)) ?? [],
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}
