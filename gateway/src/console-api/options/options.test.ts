import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import {
  isSecretOption,
  optionKeys,
  optionOf,
  optionText,
  optionGrant,
  defaultOptions,
  givableGrants,
  optionRoutes,
  type OptionKey,
} from '@tollgate/contract'

import { startTurnstile, type TurnstileStandIn } from '@tollgate/simulator'

import type { AppError } from '../../platform/app-error'
import { sentence } from '../../platform/locales/sentence'
import { lockPrices, storedPrices, storePrices } from '../../billing/pricing/price-store'
import { aCall, runHandler, aUser, refusalOf } from '../../../test/calls'
import { eachDatabase } from '../../../test/databases'
import { onceOf } from '../../../test/kinds'
import { aPasskeyRow } from '../../../test/rows'
import { createWorld } from '../../../test/world'
import { optionHandlers } from './options'

let turnstile: TurnstileStandIn
beforeAll(() => {
  turnstile = startTurnstile({ secretKey: 'a.example' })
})
afterAll(() => turnstile.stop())

for (const kind of eachDatabase) {
  const once = onceOf(kind)

  const start = async () => {
    const world = await createWorld({ kind, environment: { TURNSTILE_URL: turnstile.url } })
    const root = await aUser(world.ctx, { username: 'root', role: 100 })
    const callHandler = (name: string, body?: unknown) =>
      runHandler(optionHandlers, name, { body }, aCall(world.ctx, { caller: root }))
    const set = (key: string, value: unknown) => callHandler('PUT /api/option', { key, value })
    const setAll = (items: Record<string, unknown>) =>
      callHandler('PUT /api/option/batch', { items: Object.entries(items).map(([key, value]) => ({ key, value })) })
    const rows = async () => optionRoutes.listOptions.data?.parse(await callHandler('GET /api/option')) ?? []
    const valueOf = async (key: string) => (await rows()).find((row) => row.key === key)?.value
    const { ctx } = world
    return {
      ctx,
      root,
      callHandler,
      set,
      setAll,
      rows,
      valueOf,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`options (${kind})`, () => {
    once('an alias of a model that no channel serves is refused, and nothing is stored', async () => {
      await using world = await start()
      const aliases = JSON.stringify({ smart: [{ targets: [{ model: 'gpt-9', weight: 1 }] }] })
      expect(await refusalOf(world.set('ModelAliases', aliases))).toBe('target.unserved')
      expect(await world.valueOf('ModelAliases')).toBe('{}')
    })

    once('every option can be set to its default again and is listed', async () => {
      await using world = await start()
      await world.setAll(Object.fromEntries(optionKeys.map((key) => [key, optionText(key, defaultOptions[key])])))
      const rows = await world.rows()
      expect(rows.map(({ key }) => key).sort()).toEqual([...optionKeys].sort())
      for (const { key, value } of rows)
        expect([key, value]).toEqual([key, optionOf(key as never).text(defaultOptions[key as never])])
    })

    once('a demonstration site allows changing nothing but that it is one', async () => {
      await using world = await start()
      await world.set('DemoSiteEnabled', true)
      expect(await refusalOf(world.set('RetryTimes', 3))).toBe('demo.read_only')
      expect(await refusalOf(world.setAll({ DemoSiteEnabled: false, RetryTimes: 3 }))).toBe('demo.read_only')
      await world.setAll({ DemoSiteEnabled: false })
      await world.set('RetryTimes', 3)
      expect(world.ctx.catalog.current.options.RetryTimes).toBe(3)
    })

    once('a page head that the content policy would break is refused with the reason', async () => {
      await using world = await start()
      const refused = await world
        .set('custom_head_html', '<script src="data:text/javascript,1"></script>')
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({
        code: 'option.invalid',
        params: { detail: { code: 'reason.head_address' } },
        envelopeFields: { field: 'custom_head_html' },
      })
      await world.set('custom_head_html', '<script>run()</script>')
      expect(world.ctx.catalog.current.options.custom_head_html).toBe('<script>run()</script>')
    })

    once.each([
      ['InvitationCommissionRate', '101', 'must be at most 100'],
      ['InvitationCommissionDelayDays', '1.5', 'must be a whole number'],
      ['TopUpBonuses', '[{"from":10,"percent":5},{"from":20,"percent":150}]', '1.percent must be at most 100'],
      ['TopUpBonuses', '[{"from":10}]', '0 must have either a sum (quota) or a share (percent)'],
      [
        'TopUpBonuses',
        '[{"from":20,"quota":1},{"from":10,"quota":1}]',
        '1 must not have a smaller amount than the entry before it',
      ],
      ['TopUpBonuses', '[{"from":10,"quota":1},{"from":10,"quota":2}]', '“10” is listed twice'],
    ])('%s = %s is refused in words, and nothing that came with it is kept', async (key, value, reason) => {
      await using world = await start()
      await world.set('ServerAddress', 'https://gate.example')
      const before = world.ctx.catalog.current.options
      const words = await world.setAll({ AmountOptions: '[7]', [key]: value }).then(
        () => 'saved',
        (error: AppError) => sentence(error.code, error.params, 'en'),
      )
      expect(words).toContain(reason)
      expect(world.ctx.catalog.current.options).toEqual(before)
    })

    once('a change is in force at once, a refused one leaves nothing', async () => {
      await using world = await start()
      const options = () => world.ctx.catalog.current.options
      await world.set('RetryTimes', 3)
      expect(options().RetryTimes).toBe(3)
      await world.set('LogErrorEnabled', false)
      expect(options().LogErrorEnabled).toBe(false)
      await world.set('ServerAddress', 'https://gate.example/')
      expect(await world.valueOf('ServerAddress')).toBe('https://gate.example')
      expect(await refusalOf(world.set('Unheard', 'x'))).toBe('option.unknown')
      expect(await refusalOf(world.set('QuotaPerUnit', '0'))).toBe('option.invalid')
      expect(await refusalOf(world.set('ModelRatio', '{"gpt-4o":'))).toBe('option.invalid')
      expect(await refusalOf(world.set('SystemName', 'a\u0000b'))).toBe('option.invalid')
      expect(await refusalOf(world.setAll({ RetryTimes: 5, MinTopUp: 'x' }))).toBe('option.invalid')
      expect(options().RetryTimes).toBe(3)
    })

    once('a refusal names the refused option', async () => {
      await using world = await start()
      const refused = await world.setAll({ RetryTimes: 5, SensitiveWords: 'regex:(' }).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'option.invalid', envelopeFields: { field: 'SensitiveWords' } })
      const unmet = await world.set('GitHubOAuthEnabled', true).catch((error: unknown) => error)
      expect(unmet).toMatchObject({ code: 'option.prerequisite', envelopeFields: { field: 'GitHubOAuthEnabled' } })
    })

    once('patterns that cannot be matched in linear time are refused', async () => {
      await using world = await start()
      expect(await refusalOf(world.set('SensitiveWords', 'word\nregex:(a)\\1'))).toBe('option.invalid')
      expect(await refusalOf(world.set('SensitiveWords', 'regex:('))).toBe('option.invalid')
      expect(await refusalOf(world.set('SensitiveWords', 'regex:'))).toBe('option.invalid')
      await world.set('SensitiveWords', ' word \n\nregex:^a+b')
      expect(await world.valueOf('SensitiveWords')).toBe('word\nregex:^a+b')
    })

    once('a secret is stored sealed, in force, and never returned', async () => {
      await using world = await start()
      const secrets = optionKeys.filter(isSecretOption)
      const value = (key: string) => (key.endsWith('Url') ? `https://example.com/canary-${key}` : `canary-${key}`)
      await world.setAll(Object.fromEntries(secrets.map((key) => [key, value(key)])))
      expect(world.ctx.catalog.current.options.EpayKey).toBe('canary-EpayKey')
      const rows = await world.rows()
      expect(JSON.stringify(rows)).not.toContain('canary')
      expect(
        rows
          .filter((row) => row.is_set)
          .map(({ key }) => key)
          .sort(),
      ).toEqual([...secrets].sort())
      expect(JSON.stringify(await world.ctx.database.query.selectFrom('options').selectAll().execute())).not.toContain(
        'canary',
      )
      await world.set('EpayKey', '')
      expect((await world.rows()).find(({ key }) => key === 'EpayKey')?.is_set).toBe(false)
    })

    once('a switch or a choice needs its settings first, and keeps them while it is on', async () => {
      await using world = await start()
      for (const key of optionKeys) {
        const { prerequisite } = optionOf(key)
        if (!prerequisite) continue
        const { needs, value = 'true' } = prerequisite
        await world.setAll(Object.fromEntries(needs.map((needed) => [needed, ''])))
        expect([key, await refusalOf(world.set(key, value))]).toEqual([key, 'option.prerequisite'])
        const filled = needs.map((needed) => [
          needed,
          /Address$|Endpoint$|Url$|well_known$/.test(needed) ? 'https://a.example' : 'a.example',
        ])
        await world.setAll({ [key]: value, ...Object.fromEntries(filled) })
        expect([key, await refusalOf(world.set(needs[0] ?? '', ''))]).toEqual([key, 'option.prerequisite'])
        await world.set(key, optionText(key, defaultOptions[key]))
      }
    })

    once(
      'the bot check is not turned on with a secret that its service does not know, or without asking it',
      async () => {
        await using world = await start()
        await world.setAll({ TurnstileSiteKey: 'site', TurnstileSecretKey: 'another' })
        const turnOn = () => world.set('TurnstileCheckEnabled', true)
        expect(await refusalOf(turnOn())).toBe('turnstile.secret')
        turnstile.isDown = true
        expect(await refusalOf(turnOn())).toBe('turnstile.unreachable')
        turnstile.isDown = false
        await world.setAll({ TurnstileSecretKey: 'a.example', TurnstileCheckEnabled: true })
        const verificationCount = turnstile.verifications.length
        await world.set('TurnstileSiteKey', 'other site')
        expect(turnstile.verifications).toHaveLength(verificationCount)
        expect(await refusalOf(world.set('TurnstileSecretKey', 'another'))).toBe('turnstile.secret')
        expect(world.ctx.catalog.current.options.TurnstileSecretKey).toBe('a.example')
      },
    )

    once('ratios of models are a view of the price entries, whichever way these are written', async () => {
      await using world = await start()
      const { ctx } = world
      const entry = { prices: { input: 3, output: 12 }, tiers: [{ above: 1000, prices: { input: 6 } }] }
      await ctx.database.query.transaction().execute(async (transaction) => {
        await lockPrices(ctx, transaction)
        const write = { channelId: 0, model: 'kite-1', entry }
        await storePrices(ctx, [write], { source: 'sync', username: '' }, transaction)
      })
      await ctx.changes.deliver()
      const tables = async () => ({
        ModelRatio: await world.valueOf('ModelRatio'),
        CompletionRatio: await world.valueOf('CompletionRatio'),
      })
      const read = { ModelRatio: '{"kite-1":1.5}', CompletionRatio: '{"kite-1":4}' }
      expect(await tables()).toEqual(read)
      await world.setAll(read)
      const readStored = () => storedPrices(ctx.database.query, 'sale')
      expect(await readStored()).toMatchObject([{ model: 'kite-1', entry, source: 'sync' }])
      await world.setAll({ ModelRatio: '{"kite-1":2,"kite-2":1}', ModelPrice: '{"kite-3":0.1}' })
      expect(ctx.catalog.current.prices.book.own('kite-1')).toEqual({
        prices: { input: 4 },
        ratios: { output: 4 },
        tiers: entry.tiers,
      })
      expect(ctx.catalog.current.prices.book.own('kite-3')).toEqual({ prices: { per_call: 0.1 } })
      await world.setAll({ ModelRatio: '{"kite-1":2}', ModelPrice: '{}' })
      expect((await readStored()).map(({ model }) => model)).toEqual(['kite-1'])
      const history = await world.ctx.database.query
        .selectFrom('option_changes')
        .select(['before', 'after'])
        .where('key', '=', 'ModelRatio')
        .orderBy('id')
        .execute()
      expect(history).toEqual([
        { before: '{"kite-1":1.5}', after: '{"kite-1":2,"kite-2":1}' },
        { before: '{"kite-1":2,"kite-2":1}', after: '{"kite-1":2}' },
      ])
      expect(await ctx.database.query.selectFrom('options').select('key').execute()).toEqual([])
    })

    once('administrators change what has no secret, code or payment, and read that and what is public', async () => {
      await using world = await start()
      const admin = await aUser(world.ctx, { username: 'admin', role: 10 })
      const callHandler = (name: string, body?: unknown) =>
        runHandler(optionHandlers, name, { body }, aCall(world.ctx, { caller: admin }))
      const set = (key: string, value: unknown) => callHandler('PUT /api/option', { key, value })
      await set('RetryTimes', 2)
      await set('ModelRatio', '{"kite-1":3}')
      await set('GroupRatio', '{"default":1,"vip":0.5,"svip":1}')
      expect(world.ctx.catalog.current.options.RetryTimes).toBe(2)
      expect(world.ctx.catalog.current.prices.book.own('kite-1')).toEqual({ prices: { input: 6 } })
      const others = ['EpayKey', 'TopupGroupRatio', 'global_js', 'SMTPServer', 'ServerAddress', 'QuotaPerUnit'] as const
      for (const key of others)
        expect([key, await refusalOf(set(key, optionText(key, defaultOptions[key])))]).toEqual([
          key,
          'option.root_only',
        ])
      const items = ['SystemName', 'Price'].map((key) => ({ key, value: '5' }))
      expect(await refusalOf(callHandler('PUT /api/option/batch', { items }))).toBe('option.root_only')
      expect(world.ctx.catalog.current.options.SystemName).not.toBe('5')
      const seen =
        optionRoutes.listOptions.data?.parse(await callHandler('GET /api/option')).map(({ key }) => key) ?? []
      expect(seen).toContain('RetryTimes')
      expect(seen).toContain('ServerAddress')
      for (const key of seen)
        expect([key, optionGrant(key as never), optionOf(key as never).isPublic]).not.toEqual([
          key,
          'settings.secure',
          false,
        ])
      expect(seen.filter((key) => isSecretOption(key as never))).toEqual([])
    })

    once('each grant changes its options and no others', async () => {
      await using world = await start()
      await world.setAll({ ServerAddress: 'https://tollgate.example' })
      for (const grant of givableGrants) {
        const caller = await aUser(world.ctx, { username: `with ${grant}`, grants: [grant] })
        const call = aCall(world.ctx, { caller })
        const set = (key: OptionKey) =>
          refusalOf(
            runHandler(
              optionHandlers,
              'PUT /api/option',
              { body: { key, value: optionText(key, defaultOptions[key]) } },
              call,
            ),
          )
        for (const key of optionKeys) {
          const expected = optionGrant(key) === 'settings.secure' ? 'option.root_only' : 'auth.forbidden'
          if (optionGrant(key) !== grant) expect([grant, key, await set(key)]).toEqual([grant, key, expected])
        }
        const own = optionKeys.find((key) => optionGrant(key) === grant)
        if (own) expect([grant, own, await set(own)]).toEqual([grant, own, null])
      }
    })

    test('the history has who changed an option when, from what to what, newest first', async () => {
      await using world = await start()
      const history = async (key: string, as = world.root) => {
        const result = await runHandler(
          optionHandlers,
          'GET /api/option/history',
          { query: { key, page_size: '2' } },
          aCall(world.ctx, { caller: as }),
        )
        const { items = [], total } = optionRoutes.optionHistory.data?.parse(result) ?? {}
        return { total, items: items.map(({ before, after, username }) => [before, after, username]) }
      }
      await world.setAll({ RetryTimes: 5, LogErrorEnabled: true })
      await world.set('RetryTimes', '5')
      await world.setAll({ RetryTimes: 7 })
      await refusalOf(world.set('RetryTimes', 'x'))
      await world.set('RetryTimes', 3)
      expect(await history('RetryTimes')).toEqual({
        total: 3,
        items: [
          ['7', '3', 'root'],
          ['5', '7', 'root'],
        ],
      })
      expect(await history('LogErrorEnabled')).toEqual({ total: 0, items: [] })
      for (const value of ['canary-1', 'canary-2', '']) await world.set('SMTPToken', value)
      expect(await history('SMTPToken')).toEqual({
        total: 3,
        items: [
          ['set', '', 'root'],
          ['set', 'set', 'root'],
        ],
      })
      const admin = await aUser(world.ctx, { username: 'admin', role: 10 })
      expect((await history('RetryTimes', admin)).total).toBe(3)
      // Public, yet not visible to the administrator.
      expect(await refusalOf(history('ServerAddress', admin))).toBe('auth.forbidden')
      expect(await refusalOf(history('Unheard'))).toBe('option.unknown')
    })

    test('the history is bounded', async () => {
      await using world = await start()
      for (let times = 0; times < 53; times += 1) await world.set('RetryTimes', times % 2)
      const rows = await world.ctx.database.query.selectFrom('option_changes').select('id').orderBy('id').execute()
      expect([rows.length, rows[0]?.id]).toEqual([50, 4])
    })

    once('payment needs the server address first, and keeps it', async () => {
      await using world = await start()
      const { set, setAll } = world
      await set('ServerAddress', '')
      for (const [key, value] of Object.entries({ PayAddress: 'https://pay.example', EpayKey: 'k', Price: 7 })) {
        expect([key, await refusalOf(set(key, value))]).toEqual([key, 'option.prerequisite'])
      }
      await setAll({ PayAddress: 'https://pay.example', ServerAddress: 'https://gate.example' })
      expect(await refusalOf(set('ServerAddress', ''))).toBe('option.prerequisite')
      await set('PayAddress', '')
      await set('ServerAddress', '')
      expect(world.ctx.catalog.current.options.ServerAddress).toBe('')
      await setAll({ StripeApiSecret: 'sk_test_1', ServerAddress: 'https://gate.example' })
      expect(await refusalOf(set('ServerAddress', ''))).toBe('option.prerequisite')
    })

    test('passwords stay enabled until a super admin can sign in another way', async () => {
      await using world = await start()
      const { ctx, root, set, setAll } = world
      expect(await refusalOf(set('PasswordLoginEnabled', 'false'))).toBe('option.lock_out')
      const identity = { provider: 'github', subject: '7', user_id: root.id, created_at: 1 }
      await ctx.database.query.insertInto('identities').values(identity).execute()
      expect(await refusalOf(set('PasswordLoginEnabled', 'false'))).toBe('option.lock_out')
      await setAll({
        GitHubClientId: 'a',
        GitHubClientSecret: 'b',
        GitHubOAuthEnabled: true,
        PasswordLoginEnabled: false,
      })
      expect(await refusalOf(set('GitHubOAuthEnabled', 'false'))).toBe('option.lock_out')
      await ctx.database.query.insertInto('passkeys').values(aPasskeyRow(root.id)).execute()
      expect(await refusalOf(set('GitHubOAuthEnabled', 'false'))).toBeNull()
    })

    once('a group with members cannot be removed', async () => {
      await using world = await start()
      const { ctx, set } = world
      await set('GroupRatio', '{"default":1,"a":1,"b":1,"c":1,"free":1}')
      const user = await aUser(ctx, { username: 'ann', group: 'a' })
      await ctx.database.query
        .insertInto('tokens')
        .values({
          user_id: user.id,
          key_hash: 'k',
          key_sealed: '',
          name: 't',
          created_time: 1,
          group: 'b',
          deleted_at: null,
        })
        .execute()
      await ctx.database.query
        .insertInto('channels')
        .values({ type: 1, name: 'c', key_sealed: ctx.seal.seal('k'), group: 'default, c', created_time: 1, tag: null })
        .execute()
      for (const used of ['a', 'b', 'c']) {
        const rest = Object.fromEntries(
          ['default', 'a', 'b', 'c'].filter((name) => name !== used).map((name) => [name, 1]),
        )
        expect([used, await refusalOf(set('GroupRatio', JSON.stringify(rest)))]).toEqual([used, 'option.group_in_use'])
      }
      await set('GroupRatio', '{"default":1,"a":1,"b":1,"c":1}')
      expect(Object.keys(ctx.catalog.current.options.GroupRatio)).not.toContain('free')
    })
  })
}
