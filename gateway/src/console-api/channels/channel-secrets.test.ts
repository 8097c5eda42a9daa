import { describe, expect, test } from 'bun:test'

import { createChannelWorld } from '../../../test/channel-world'
import { sealCredentials } from '../../app/jobs/seal-credentials'

const texts = {
  base_url: 'https://puser:BASEPW@api.example.com/v1',
  setting: '{"proxy":"http://puser:PROXYPW@proxy.example.com:3128"}',
  param_override: '{"secret_param":"OVERRIDESECRET","temperature":0.5}',
}
const shown = {
  base_url: 'https://******@api.example.com/v1',
  setting: '{"proxy":"http://******@proxy.example.com:3128"}',
  param_override: '{"secret_param":"******","temperature":0.5}',
}
const hidden = /BASEPW|PROXYPW|OVERRIDESECRET/

describe('credentials in a channel’s addresses and overrides', () => {
  async function start() {
    const world = await createChannelWorld('sqlite')
    const { ctx } = world
    const inForce = (id: number) => {
      const channel = ctx.catalog.current.channels.get(id)
      return [channel?.baseUrl, channel?.setting.proxy, channel?.paramOverride]
    }
    const rows = async () => JSON.stringify(await ctx.database.query.selectFrom('channels').selectAll().execute())
    const put = (body: Record<string, unknown>) => world.ask('PUT', '/api/channel/', body)
    return { ...world, inForce, rows, put, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
  }
  const opened = [
    texts.base_url,
    'http://puser:PROXYPW@proxy.example.com:3128',
    { secret_param: 'OVERRIDESECRET', temperature: 0.5 },
  ]

  test('they are used for calls, sealed in the database and masked in every response and in the audit log', async () => {
    await using world = await start()
    const channel = await world.aChannel(texts)
    expect(channel).toMatchObject(shown)
    expect(world.inForce(channel.id)).toEqual(opened)
    expect(await world.rows()).not.toMatch(hidden)
    for (const path of [`/${channel.id}`, '/', '/search?keyword=one'])
      expect(JSON.stringify(await world.ask('GET', `/api/channel${path}`))).not.toMatch(hidden)
    await world.put({ id: channel.id, setting: '{"proxy":"http://puser:OTHERPW@proxy.example.com:3128"}' })
    const audit = await world.ctx.database.query.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(audit)).not.toMatch(/BASEPW|PROXYPW|OTHERPW|OVERRIDESECRET/)
  })

  test('credentials in rewritten headers are masked, sealed and kept', async () => {
    await using world = await start()
    const setting = (value: string) => `{"rewrites":[{"header_override":{"x-team":"blue","authorization":"${value}"}}]}`
    const channel = await world.aChannel({ setting: setting('Basic HEADERSECRET') })
    expect(channel.setting).toBe(setting('******'))
    expect(await world.rows()).not.toContain('HEADERSECRET')
    await world.put({ ...channel, key: '' })
    const { rewrites } = world.ctx.catalog.current.channels.get(channel.id)?.setting ?? {}
    expect(rewrites).toEqual([{ header_override: { 'x-team': 'blue', authorization: 'Basic HEADERSECRET' } }])
  })

  test('a channel that is saved as it was read keeps them, and new ones replace them', async () => {
    await using world = await start()
    const channel = await world.aChannel(texts)
    expect((await world.put({ ...channel, key: '' })).code).toBeUndefined()
    expect(world.inForce(channel.id)).toEqual(opened)
    const param_override = '{"secret_param":"NEW","top_p":1}'
    expect((await world.put({ id: channel.id, param_override })).code).toBeUndefined()
    expect(world.inForce(channel.id)[2]).toEqual({ secret_param: 'NEW', top_p: 1 })
    expect((await world.put({ id: channel.id, param_override: '', setting: '', key: 'sk-2' })).code).toBeUndefined()
    expect(world.inForce(channel.id)).toEqual([texts.base_url, undefined, null])
    await world.put({ id: channel.id, base_url: 'https://api.example.com', key: 'sk-new' })
    expect(await world.rows()).toContain('"secrets_sealed":""')
  })

  test.each<[string, Record<string, unknown>]>([
    ['another host', { base_url: 'https://******@evil.example/v1', key: 'sk-mine' }],
    ['another host, in the body', { ...shown, base_url: 'https://evil.example', key: 'sk-mine' }],
    ['another proxy', { setting: '{"proxy":"http://******@evil.example:3128"}', key: 'sk-mine' }],
    ['another name', { param_override: '{"user":"******"}' }],
  ])('they are not sent to %s by keeping their mask', async (_where, edit) => {
    await using world = await start()
    const channel = await world.aChannel(texts)
    expect((await world.put({ id: channel.id, ...edit })).code).toBe('channel.masked')
    expect(world.inForce(channel.id)).toEqual(opened)
  })

  test('a copy has them, sealed for its own row', async () => {
    await using world = await start()
    const channel = await world.aChannel(texts)
    const { data } = await world.ask('POST', `/api/channel/copy/${channel.id}`)
    const id = [...world.ctx.catalog.current.channels.keys()].find((other) => other !== channel.id) ?? 0
    expect(data).toBeTruthy()
    expect(world.inForce(id)).toEqual(opened)
    expect(await world.rows()).not.toMatch(hidden)
  })

  test('those of earlier releases are masked at once, and sealed by a job', async () => {
    await using world = await start()
    const channel = await world.aChannel()
    await world.ctx.database.query.updateTable('channels').set(texts).where('id', '=', channel.id).execute()
    expect((await world.ask('GET', `/api/channel/${channel.id}`)).data).toMatchObject(shown)
    await sealCredentials(world.ctx).run(new AbortController().signal)
    expect(await world.rows()).not.toMatch(hidden)
    expect(world.inForce(channel.id)).toEqual(opened)
    const before = await world.rows()
    await sealCredentials(world.ctx).run(new AbortController().signal)
    expect(await world.rows()).toBe(before)
  })

  test('a column that an earlier release wrote since is in force, and sealed by the job', async () => {
    await using world = await start()
    const channel = await world.aChannel(texts)
    const base_url = 'https://other:LATERPW@other.example.com'
    await world.ctx.database.query.updateTable('channels').set({ base_url }).where('id', '=', channel.id).execute()
    await world.ctx.catalog.rebuild()
    expect(world.inForce(channel.id)[0]).toBe(base_url)
    await sealCredentials(world.ctx).run(new AbortController().signal)
    expect(world.inForce(channel.id)).toEqual([base_url, ...opened.slice(1)])
    expect(await world.rows()).not.toMatch(/LATERPW|PROXYPW/)
  })
})
