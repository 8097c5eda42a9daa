import { describe, expect, test } from 'bun:test'

import { channelRoutes, type ErrorCode } from '@tollgate/contract'

import { canary, createChannelWorld } from '../../../test/channel-world'
import { kinds, onceOf } from '../../../test/kinds'
import { fingerprintOf } from '../../channels/catalog/channel-keys'

/** Tested below. */
const hasRule = new Set<string>([
  'name',
  'models',
  'group',
  'base_url',
  'other',
  'openai_organization',
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'priority',
  'weight',
  'tag',
  'auto_ban',
])

for (const kind of kinds) {
  const once = onceOf(kind)

  const start = () => createChannelWorld(kind)

  describe(`channels (${kind})`, () => {
    once('a new channel serves at once and never shows its keys', async () => {
      await using world = await start()
      const keys = [`a-${canary}`, `b-${canary}`]
      const channel = await world.aChannel({ key: keys.join(','), models: 'gpt-4o, o3,,', group: 'default,vip' })
      expect(channel).toMatchObject({ status: 1, models: 'gpt-4o,o3', auto_ban: 1, tag: null, balance: 0 })
      expect(channel.keys).toEqual(
        keys.map((key) => ({ fingerprint: fingerprintOf(key), masked: '', status: 1, reason: '', time: 0 })),
      )
      expect(world.serving('o3', 'vip')).toEqual([[channel.id]])
      for (const path of [`/${channel.id}`, '/', '/search?keyword=one', '/?tag_mode=true', '/types']) {
        expect((await world.ask('GET', `/api/channel${path}`)).success).toBe(true)
      }
      const rows = await world.ctx.database.query.selectFrom('channels').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(canary)
    })

    once('every field without a rule is stored as it is sent, and is blank after null', async () => {
      await using world = await start()
      const names = channelRoutes.channelFieldNames.filter((name) => !hasRule.has(name))
      const blank = Object.fromEntries(names.map((name) => [name, channelRoutes.blankFields[name]]))
      const sent = Object.fromEntries(names.map((name) => [name, typeof blank[name] === 'number' ? 7 : name]))
      const { id } = await world.aChannel(sent)
      expect((await world.ask('GET', `/api/channel/${id}`)).data).toMatchObject(sent)
      const nulls = Object.fromEntries(names.map((name) => [name, null]))
      expect((await world.ask('PUT', '/api/channel/', { id, ...nulls })).data).toMatchObject(blank)
    })

    once('only administrators have access to channels', async () => {
      await using world = await start()
      const { id } = await world.aChannel()
      for (const [method, path] of [
        ['GET', '/api/channel/'],
        ['GET', `/api/channel/${id}`],
        ['DELETE', `/api/channel/${id}`],
        ['GET', '/api/channel/types'],
        ['GET', '/api/channel/defaults'],
      ] as const) {
        expect((await world.ask(method, path, undefined, world.user)).status).toBe(403)
      }
    })

    once('an edit keeps what it does not name, and the key when it is empty', async () => {
      await using world = await start()
      const before = await world.aChannel({
        tag: 't',
        priority: 3,
        weight: 2,
        system_prompt: 'p',
        setting: '{"max_waiting":1}',
      })
      const put = (body: Record<string, unknown>) => world.ask('PUT', '/api/channel/', { id: before.id, ...body })
      expect((await put({ key: '' })).data).toEqual(before)
      expect((await put({ ...before, key: '' })).data).toEqual(before)
      expect((await put({ weight: 9 })).data).toEqual({ ...before, weight: 9 })
      expect((await put({ weight: 2, tag: '', system_prompt: null })).data).toEqual({
        ...before,
        tag: null,
        system_prompt: '',
      })
      expect(world.ctx.catalog.current.channels.get(before.id)?.keys[0]?.value).toBe(`sk-${canary}`)
      await put({ models: 'o3', model_prefix: 'eu/' })
      expect([world.serving('gpt-4o'), world.serving('eu/o3')]).toEqual([[], [[before.id]]])
      await put({ status: 2 })
      expect(world.serving('eu/o3')).toEqual([])
    })

    test('an automatically disabled channel can be saved as it was read', async () => {
      await using world = await start()
      const { id } = await world.aChannel()
      await world.ctx.database.query.updateTable('channels').set({ status: 3 }).where('id', '=', id).execute()
      const { data: row } = await world.ask('GET', `/api/channel/${id}`)
      const sentBack = await world.ask('PUT', '/api/channel/', row)
      expect([sentBack.code, sentBack.data]).toEqual([undefined, row])
    })

    once('stored keys are sent only where they were entered for', async () => {
      await using world = await start()
      const here = { base_url: 'https://one.example', setting: '{"proxy":"http://proxy.example:3128"}' }
      const { id } = await world.aChannel(here)
      const put = (body: Record<string, unknown>) => world.codeOf('PUT', '/api/channel/', { id, ...body })
      const elsewhere = [
        { base_url: 'https://two.example' },
        { base_url: 'http://one.example' },
        { base_url: 'https://one.example:8443' },
        { base_url: 'https://one.example/tenant' },
        { base_url: '' },
        { type: 8 },
        { setting: '' },
        { setting: '{"proxy":"http://other.example:3128"}' },
      ]
      for (const change of elsewhere) {
        expect(await put(change)).toBe('channel.key_again')
        expect(await put({ ...change, key: ' ' })).toBe('channel.key_again')
        const copy = { name: 'copy', models: 'gpt-4o', group: 'default', type: 1, ...here, ...change, copy_from: id }
        expect(await world.codeOf('POST', '/api/channel/', copy)).toBe('channel.key_again')
      }
      expect(
        await put({ base_url: 'https://ONE.example/v1/', setting: `${here.setting} `, models: 'o3' }),
      ).toBeUndefined()
      expect(await put({ base_url: 'https://two.example', key: `new-${canary}` })).toBeUndefined()
      expect(world.ctx.catalog.current.channels.get(id)?.keys.map(({ value }) => value)).toEqual([`new-${canary}`])
    })

    once(
      'the super admin, and no other administrator, moves stored keys elsewhere by a proof of identity',
      async () => {
        await using world = await start()
        const { id } = await world.aChannel({ base_url: 'https://one.example' })
        const move = (as: Awaited<ReturnType<typeof world.signIn>>) =>
          world.codeOf('PUT', '/api/channel/', { id, base_url: 'https://two.example' }, as)
        expect(await move(await world.signIn({ username: 'root', role: 100, password: 'correct horse' }))).toBe(
          'auth.step_up',
        )
        expect(await move(await world.signIn({ username: 'helper', role: 10 }))).toBe('channel.key_again')
        // An account without a password proves itself by its fresh sign-in.
        const owner = await world.signIn({ username: 'owner', role: 100 })
        expect(await world.codeOf('PUT', '/api/channel/', { id, type: 33 }, owner)).toBe('channel.key_form')
        expect(await move(owner)).toBeUndefined()
        const channel = world.ctx.catalog.current.channels.get(id)
        expect([channel?.baseUrl, channel?.keys[0]?.value]).toEqual(['https://two.example', `sk-${canary}`])
      },
    )

    once.each([
      [15, 'id|', 'id|secret'],
      [18, 'a|b', 'a|b|c'],
      [22, 'nodash', 'fastgpt-abc-64f3'],
      [23, 'a|b', 'sk-abc'],
      [33, 'sk-1', 'id|secret|us-east-1'],
      [41, 'not json', '{"project_id":"p","client_email":"a@b.test","private_key":"k"}'],
      [45, 'app|', 'plain'],
      [46, 'a|b|c', 'key|app-1'],
      [50, 'a|', 'plain'],
      [51, 'plain', 'id|secret'],
    ])('a key of type %d that does not have its form is refused in the caller’s words', async (type, bad, good) => {
      await using world = await start()
      const channel = { type, name: 'n', models: 'm', key: bad, base_url: 'https://one.example', other: '1' }
      const zh = await world.ask('POST', '/api/channel/', channel, undefined, 'zh')
      expect([zh.code, zh.message]).toEqual(['channel.key_form', expect.stringMatching(/^密钥不符合/)])
      const { id } = await world.aChannel({ ...channel, key: good })
      expect(await world.codeOf('PUT', '/api/channel/', { id, key: bad })).toBe('channel.key_form')
    })

    once('bad values are refused with their code, when created and when edited', async () => {
      await using world = await start()
      const { id } = await world.aChannel()
      const vertex = { type: 41, key: '{"project_id":"p","client_email":"a@b.test","private_key":"k"}' }
      const cases: [Record<string, unknown>, ErrorCode][] = [
        [{ name: '' }, 'channel.name_or_key'],
        [{ models: ' , ' }, 'channel.models'],
        [{ models: 'x'.repeat(256) }, 'channel.model_long'],
        [{ type: 9999 }, 'channel.type'],
        [{ type: 8, base_url: '' }, 'channel.base_url'],
        [{ group: 'none' }, 'channel.group'],
        [{ group: '' }, 'channel.group'],
        [{ base_url: 'ftp://a.example' }, 'channel.base_url'],
        [{ base_url: 'https://' }, 'channel.base_url'],
        [{ model_mapping: '{' }, 'channel.model_mapping'],
        [{ model_mapping: '{"a":1}' }, 'channel.model_mapping'],
        [{ model_mapping: '{"a":"b","b":"a"}' }, 'channel.model_mapping_cycle'],
        [{ status_code_mapping: '{"400":"x"}' }, 'channel.status_code_mapping'],
        [{ setting: '[]' }, 'channel.setting'],
        [{ setting: '{"proxy":"nowhere"}' }, 'channel.setting'],
        [{ setting: '{"proxy":"socks5://10.0.0.1:1080"}' }, 'channel.setting'],
        [{ setting: '{"force_format":1}' }, 'channel.setting'],
        [{ setting: '{"max_concurrency":-1}' }, 'channel.setting'],
        [{ setting: '{"rewrites":[{"header_override":{"Host":"x"}}]}' }, 'channel.setting'],
        [{ setting: '{"rewrites":[{"header_override":{"a b":"x"}}]}' }, 'channel.setting'],
        [{ setting: '{"rewrites":[{"header_override":{"x-a":"b\\r\\nc: d"}}]}' }, 'channel.setting'],
        [{ setting: '{"rewrites":[{"header_pass":["Authorization"]}]}' }, 'channel.setting'],
        [{ setting: '{"rewrites":[{"model":["gpt-4o"]}]}' }, 'channel.setting'],
        [{ setting: '{"max_waiting":1.5}' }, 'channel.setting'],
        [{ setting: '{"max_wait_seconds":"10"}' }, 'channel.setting'],
        [{ setting: '{"deployment_without_dots":true}' }, 'channel.setting'],
        [{ param_override: '"x"' }, 'channel.param_override'],
        [{ priority: -1000 }, 'channel.priority'],
        [{ priority: 0.5 }, 'channel.priority'],
        [{ priority: 'high' }, 'channel.priority'],
        [{ weight: -1 }, 'channel.weight'],
        [{ key: 'a\u0007b' }, 'channel.key_characters'],
        [{ key: '密钥：sk-1' }, 'channel.key_characters'],
        [{ max_input_tokens: -1 }, 'input.invalid'],
        [{ unheard_of: 1 }, 'input.invalid'],
        [{ ...vertex, other: '{"default":' }, 'channel.region_json'],
        [{ ...vertex, other: '{"default":1}' }, 'channel.region_json'],
        [{ ...vertex, other: '{"default":" "}' }, 'channel.region'],
        [{ ...vertex, other: '{"o3":"us-east1"}' }, 'channel.region_default'],
      ]
      const valid = { type: 1, name: 'n', key: 'k', models: 'm' }
      for (const [fields, code] of cases) {
        expect([fields, await world.codeOf('POST', '/api/channel/', { ...valid, ...fields })]).toEqual([fields, code])
        expect([fields, await world.codeOf('PUT', '/api/channel/', { id, ...fields })]).toEqual([fields, code])
      }
      expect(await world.codeOf('POST', '/api/channel/', { ...valid, key: ' , ' })).toBe('channel.name_or_key')
      expect(await world.codeOf('POST', '/api/channel/', { ...valid, key: undefined })).toBe('channel.name_or_key')
      const setting = JSON.stringify({ own_login: true })
      expect(await world.codeOf('POST', '/api/channel/', { ...valid, type: 40, key: '', setting })).toBe(
        'channel.name_or_key',
      )
      expect(await world.codeOf('PUT', '/api/channel/', { id, status: 3 })).toBe('param.invalid')
      expect(await world.codeOf('PUT', '/api/channel/', { id: id + 100, name: 'x' })).toBe('channel.none')
      expect((await world.ask('GET', '/api/channel/')).data).toMatchObject({ total: 1 })
    })

    once('a channel whose clients bring their own login needs no key', async () => {
      await using world = await start()
      const setting = JSON.stringify({ own_login: true, own_login_factor: 0.2 })
      const { data, code } = await world.ask('POST', '/api/channel/', { type: 14, name: 'n', models: 'm', setting })
      expect([code, data]).toEqual([undefined, expect.objectContaining({ name: 'n', setting })])
      const negative = JSON.stringify({ own_login: true, own_login_factor: -1 })
      expect(
        await world.codeOf('POST', '/api/channel/', { type: 14, name: 'n', models: 'm', setting: negative }),
      ).not.toBe(undefined)
    })

    once('a setting may have the keys its vendor describes, and an unknown one is named in the refusal', async () => {
      await using world = await start()
      const { id } = await world.aChannel({ type: 3, base_url: 'https://azure.example' })
      const put = (setting: Record<string, unknown>) =>
        world.ask('PUT', '/api/channel/', { id, setting: JSON.stringify(setting) })
      expect((await put({ deployment_without_dots: true, max_waiting: 1 })).code).toBeUndefined()
      expect(world.ctx.catalog.current.channels.get(id)?.setting).toEqual({
        deployment_without_dots: true,
        max_waiting: 1,
      } as object)
      expect((await put({ deployment_without_dots: 'yes' })).message).toContain('deployment_without_dots')
      expect((await put({ deployment_with_dots: true })).message).toContain('deployment_with_dots')
    })

    test('a search returns an array without a page number, and a page with one, the whole name first', async () => {
      await using world = await start()
      const a = await world.aChannel({ name: 'alpha', tag: 't' })
      const b = await world.aChannel({ name: 'alphabet', tag: 't' })
      const search = async (query: string) => (await world.ask('GET', `/api/channel/search?keyword=alpha${query}`)).data
      expect(await search('')).toEqual([a, b])
      expect(await search('&tag_mode=true')).toEqual([a, b])
      const other = await world.aChannel({ name: 'beta of alpha', priority: 9, tag: 'u' })
      expect(await search('&tag_mode=true')).toEqual([a, b, other])
      await world.ask('DELETE', `/api/channel/${other.id}`)
      expect(await search('&p=1&page_size=1')).toEqual({ items: [a], page: 1, page_size: 1, total: 2 })
    })

    once('a list is ordered by priority or id, filtered, and counts tags in tag mode', async () => {
      await using world = await start()
      const a = await world.aChannel({ name: 'alpha', priority: 1, tag: 't' })
      const b = await world.aChannel({ name: 'beta', priority: 5, base_url: 'https://b_x.example/', models: 'o3' })
      const c = await world.aChannel({ name: 'gamma', priority: 9, tag: 't', group: 'vip' })
      const d = await world.aChannel({ name: 'delta' })
      const list = async (query: string) => {
        const { data } = await world.ask('GET', `/api/channel/${query}`)
        const { items, total } = channelRoutes.listChannels.data?.parse(data) ?? { items: [], total: 0 }
        return [items.map(({ id }) => id), total]
      }
      expect(await list('')).toEqual([[c.id, b.id, a.id, d.id], 4])
      expect(await list('?id_sort=true')).toEqual([[d.id, c.id, b.id, a.id], 4])
      expect(await list('?p=0&page_size=3')).toEqual(await list('?p=1&page_size=3'))
      expect(await list('?p=2&page_size=3')).toEqual([[d.id], 4])
      expect(await list('?tag_mode=true&page_size=2')).toEqual([[c.id, a.id, b.id], 3])
      expect(await list('?tag_mode=true&page_size=2&p=2')).toEqual([[d.id], 3])
      expect(await list('?tag_mode=true&p=9')).toEqual([[], 3])
      expect(await list('?tag_mode=true&id_sort=true')).toEqual([[d.id, c.id, a.id, b.id], 3])
      expect(await list('search?p=1&keyword=ALPH')).toEqual([[a.id], 1])
      expect(await list('search?p=1&keyword=b_x')).toEqual([[b.id], 1])
      expect(await list('search?p=1&keyword=%25')).toEqual([[], 0])
      expect(await list(`search?p=1&keyword=${d.id}`)).toEqual([[d.id], 1])
      expect(await list('search?p=1&group=vip')).toEqual([[c.id], 1])
      expect(await list('search?p=1&group=vi')).toEqual([[], 0])
      expect(await list('search?p=1&group=null&model=o3')).toEqual([[b.id], 1])
      expect(await list('search?p=1&status=2')).toEqual([[], 0])
      expect(await list('search?p=1&tag=t')).toEqual([[c.id, a.id], 2])
      expect(await list('search?p=1&tag=T')).toEqual([[], 0])
      expect(await list('search?p=1&tag_mode=true&keyword=alpha')).toEqual([[a.id], 1])
    })

    test('a copy has the keys and none of the measurements, also when made by create', async () => {
      await using world = await start()
      const { id } = await world.aChannel({ priority: 7 })
      await world.ctx.database.query.updateTable('channels').set({ used_quota: 5, balance: 2, test_time: 9 }).execute()
      const names: string[] = []
      for (const query of ['', '', '?suffix=-x&reset_balance=false']) {
        const { data } = await world.ask('POST', `/api/channel/copy/${id}${query}`)
        const copy = await world.one(channelRoutes.copyChannel.data?.parse(data).id ?? 0)
        expect(copy).toMatchObject({ priority: 7, test_time: 0, balance: query ? 2 : 0, used_quota: query ? 5 : 0 })
        names.push(copy.name)
        const inherited = world.ctx.database.query
          .selectFrom('counters')
          .select('value')
          .where('name', '=', `channel-inherited-quota:${copy.id}`)
        expect((await inherited.executeTakeFirst())?.value ?? 0).toBe(copy.used_quota)
      }
      expect(names).toEqual(['one_复制', 'one_复制 2', 'one-x'])
      const byCreate = await world.aChannel({ name: 'two', key: '', copy_from: id })
      for (const channel of world.ctx.catalog.current.channels.values()) {
        expect(channel.keys[0]?.value).toBe(`sk-${canary}`)
      }
      expect(world.serving('gpt-4o').flat()).toHaveLength(5)
      expect(byCreate.id).toBeGreaterThan(id)
      expect(await world.codeOf('POST', '/api/channel/copy/999')).toBe('channel.none')
    })

    once('deleting a channel removes what was served with it', async () => {
      await using world = await start()
      const [a, b, c, d] = [
        await world.aChannel(),
        await world.aChannel(),
        await world.aChannel(),
        await world.aChannel(),
      ]
      expect((await world.ask('DELETE', `/api/channel/${a.id}/`)).success).toBe(true)
      expect(await world.codeOf('DELETE', `/api/channel/${a.id}/`)).toBe('channel.none')
      expect((await world.ask('POST', '/api/channel/batch', { ids: [a.id, b.id] })).data).toBe(1)
      expect(await world.codeOf('POST', '/api/channel/batch', { ids: [] })).toBe('channel.none_to_delete')
      await world.ask('PUT', '/api/channel/', { id: c.id, status: 2 })
      expect((await world.ask('DELETE', '/api/channel/disabled')).data).toBe(1)
      expect((await world.ask('DELETE', '/api/channel/disabled')).data).toBe(0)
      expect(world.serving('gpt-4o')).toEqual([[d.id]])
    })

    once('fix puts channels that were changed in the database in force', async () => {
      await using world = await start()
      const { id } = await world.aChannel()
      await world.ctx.database.query.updateTable('channels').set({ models: 'o3' }).execute()
      expect((await world.ask('POST', '/api/channel/fix')).data).toBe(1)
      expect([world.serving('gpt-4o'), world.serving('o3')]).toEqual([[], [[id]]])
    })

    once('models, types and the route of a model can be read', async () => {
      await using world = await start()
      const a = await world.aChannel({ weight: 10, model_mapping: '{"gpt-4o":"real"}' })
      const b = await world.aChannel({ models: 'own-model,gpt-4o', priority: -1 })
      const c = await world.aChannel({ weight: 20 })
      expect((await world.ask('GET', '/api/channel/models_enabled')).data).toEqual(['gpt-4o', 'own-model'])
      const known = channelRoutes.knownModels.data?.parse((await world.ask('GET', '/api/channel/models')).data)
      expect(known?.filter(({ id }) => id === 'own-model' || id === 'gpt-4o')).toHaveLength(2)
      const route = await world.ask('GET', '/api/channel/route?model=gpt-4o')
      const at = { name: 'one', is_healthy: true }
      expect(route.data).toMatchObject({
        tiers: [
          {
            priority: 0,
            channels: [
              { ...at, id: a.id, weight: 10, share: 0.4, upstream_model: 'real' },
              { ...at, id: c.id, weight: 20, share: 0.6, upstream_model: 'gpt-4o' },
            ],
          },
          { priority: -1, channels: [{ ...at, id: b.id, weight: 0, share: 1, upstream_model: 'gpt-4o' }] },
        ],
      })
      const types = channelRoutes.channelTypes.data?.parse((await world.ask('GET', '/api/channel/types')).data)
      expect(types?.find(({ type }) => type === 1)).toMatchObject({ id: 'openai', has_balance: true })
    })
  })
}
