import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { channelStatus } from '@tollgate/contract'

import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { openKeys } from '../../channels/catalog/channel-keys'
import { runCommand } from './run-command'

describe.each(kinds)('a site as a file (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let folder: string
  /** The last row of the audit log before the test. */
  let since: number
  beforeAll(async () => {
    world = await createWorld({ kind })
    folder = mkdtempSync(join(tmpdir(), 'tollgate-apply-'))
  })
  beforeEach(async () => {
    await apply('options: {}\nchannels: {}\nprices: {}\nplans: {}\ngroups: {}\n', { flags: ['--prune'] })
    const last = await world.ctx.database.query
      .selectFrom('audit_log')
      .select(({ fn }) => fn.max('id').as('id'))
      .execute()
    since = last[0]?.id ?? 0
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  async function run(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const { config } = world.ctx
    const environment = {
      DATA_DIR: config.dataDir,
      ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
      ...variables,
    }
    const lines: string[] = []
    const code = await runCommand(words, { environment, print: (line) => lines.push(line) })
    await world.ctx.changes.deliver()
    return { code, text: lines.join('\n') }
  }
  const file = () => join(folder, 'site.yaml')
  async function apply(text: string, { flags = [], variables = {} }: { flags?: string[]; variables?: object } = {}) {
    writeFileSync(file(), text)
    const { code, text: printed } = await run(['apply', '-f', file(), ...flags], { KEY: 'sk-one', ...variables })
    return { code, text: printed.replaceAll(file(), 'site.yaml') }
  }
  const readFile = async () => (await run(['export'])).text
  const acts = async () =>
    (
      await world.ctx.database.query.selectFrom('audit_log').selectAll().where('id', '>', since).orderBy('id').execute()
    ).map(({ action, means, target_name }) => [action, means, target_name])
  const channelRows = () => world.ctx.database.query.selectFrom('channels').selectAll().orderBy('id').execute()

  const wholeSite = `
options:
  SystemName: Example
  GroupRatio: { default: 1, vip: 0.8, gold: 0.5 }
  SMTPToken: \${MAIL}
  ModelAliases: { smart: [{ targets: [{ model: own-1, weight: 1 }] }] }
channels:
  Main:
    type: openai
    key: \${KEY}
    models: [gpt-4o, own-1]
    windows: [{ name: Minute, measure: requests, limit: 60, span: minute, alert_percents: [90, 50] }]
    costs: { factor: 0.8, models: { own-1: { prices: { input: 1, output: 3 } } } }
    group: [default, gold]
    setting: { proxy: "http://user:\${PROXY}@proxy.example.com" }
    priority: 5
  Spare:
    type: anthropic
    key: sk-ant
    enabled: false
    models: [claude-sonnet-4-5]
prices:
  own-1: { prices: { input: 2, output: 6 } }
plans:
  Pro:
    price: 5000000
    length: 1
    unit: month
    models: [gpt-4o]
    groups: [gold]
    windows: [{ name: Daily, measure: requests, limit: 100, span: day }]
groups:
  gold: { windows: [{ name: Weekly, measure: quota, limit: 5000, span: week }] }
`
  const secrets = { MAIL: 'mail-secret', PROXY: 'proxy-secret' }

  once('a whole site is made of a file, once, and a running gateway follows', async () => {
    const first = await apply(wholeSite, { variables: secrets })
    expect(first).toMatchObject({ code: 0 })
    expect(first.text).toEndWith('Done.')
    expect(first.text).not.toMatch(/mail-secret|proxy-secret|sk-one/)
    const { current } = world.ctx.catalog
    expect(current.options).toMatchObject({ SystemName: 'Example', SMTPToken: 'mail-secret' })
    const [main, spare] = await channelRows()
    expect(main).toMatchObject({ name: 'Main', models: 'gpt-4o,own-1', group: 'default,gold', priority: 5 })
    expect(main && openKeys(world.ctx, main)).toEqual(['sk-one'])
    expect(spare).toMatchObject({ name: 'Spare', status: channelStatus.disabled })
    expect(current.prices.book.own('own-1')).toMatchObject({ prices: { input: 2, output: 6 } })
    const acted = await acts()
    expect(acted).toContainEqual(['channel.create', 'command', 'Main'])
    expect(acted).toContainEqual(['plan.create', 'command', 'Pro'])
    expect(acted).toContainEqual(['price.update', 'command', 'own-1'])
    const second = await apply(wholeSite, { variables: secrets })
    expect(second.text).toBe('Nothing to change.')
    expect(await acts()).toEqual(acted)
  })

  once('what was readFile is applied without a change, and readFile again as it was', async () => {
    await apply(wholeSite, { variables: secrets })
    const text = await readFile()
    expect(text).not.toMatch(/mail-secret|proxy-secret|sk-one|sk-ant/)
    expect(text).toContain('${CHANNEL_MAIN_KEY}')
    const applied = await apply(text)
    expect(applied).toEqual({ code: 0, text: 'Nothing to change.' })
    expect(await readFile()).toBe(text)
  })

  once('a secret that has no variable and is not stored is asked for', async () => {
    const place = `channels:\n  A:\n    type: openai\n    key: \${NOT_THERE}\n    models: [m]\n`
    expect((await apply(place)).text).toBe('site.yaml:4: channels.A.key: the variable NOT_THERE is not set')
    expect((await apply(place, { variables: { NOT_THERE: '' } })).text).toContain('NOT_THERE is not set')
    const part = place.replace('${NOT_THERE}', 'k') + '    base_url: https://u:${PART}@a.example\n'
    expect((await apply(part)).text).toBe('site.yaml:6: channels.A.base_url: the variable PART is not set')
    const option = 'options:\n  SMTPToken: ${MAIL}\n'
    expect((await apply(option)).text).toBe('site.yaml:2: options.SMTPToken: the variable MAIL is not set')
  })

  once('a dry run says what would change and changes nothing', async () => {
    const before = await readFile()
    const { text } = await apply(wholeSite, { flags: ['--dry-run'], variables: secrets })
    expect(text).toContain('+ channels.Main')
    expect(text).toContain('~ options.SystemName: "Tollgate" → "Example"')
    expect(text).toEndWith('Nothing was changed: this was a dry run.')
    expect(await readFile()).toBe(before)
    expect(await acts()).toEqual([])
  })

  once('what is refused after other changes undoes them too', async () => {
    const before = await readFile()
    const { code, text } = await apply(
      `options: {SystemName: Changed}\nchannels:\n  A: {type: openai, key: k, models: []}\n`,
    )
    expect(text).toContain('site.yaml:3: channels.A: Choose at least one model')
    expect(code).toBe(1)
    expect(await readFile()).toBe(before)
    expect(await acts()).toEqual([])
  })

  once('only what a file has made is removed when it names it no more, unless it prunes', async () => {
    await apply(wholeSite, { variables: secrets })
    const byHand = { type: 1, name: 'By hand', key_sealed: '', models: 'm', group: 'default', created_time: 1 }
    await world.ctx.database.query.insertInto('channels').values(byHand).execute()
    const less = wholeSite
      .replace(/  Spare:[\s\S]*?prices:/, 'prices:')
      .replace(/  SystemName: .*\n/, '')
      .replace(/  own-1: .*/, '  {}')
    const dropped = await apply(less.replace(/  ModelAliases.*\n/, ''), { variables: secrets })
    expect(dropped.text).toContain('- channels.Spare')
    expect(dropped.text).toContain('- prices.own-1')
    expect((await channelRows()).map(({ name }) => name)).toEqual(['Main', 'By hand'])
    expect(world.ctx.catalog.current.options).toMatchObject({ SystemName: 'Tollgate', ModelAliases: {} })
    const pruned = await apply('channels: {}\n', { flags: ['--prune'] })
    expect(pruned.text).toContain('- channels.By hand')
    expect(await channelRows()).toEqual([])
    // Sections that a file does not have are left alone.
    expect(await readFile()).toContain('Pro:')
  })

  test('a change is shown member by member, without secrets', async () => {
    await apply(wholeSite, { variables: secrets })
    const changed = wholeSite.replace('priority: 5', 'priority: 7').replace('limit: 100', 'limit: 200')
    const { text } = await apply(changed, { variables: { ...secrets, KEY: 'sk-two', MAIL: 'other' } })
    expect(text.split('\n')).toEqual([
      '~ options.SMTPToken: another secret',
      '~ channels.Main',
      '    priority: 5 → 7',
      '    key: another key',
      '~ plans.Pro',
      expect.stringMatching(/^ {4}windows: .*"limit":100.* → .*"limit":200/),
      'Done.',
    ])
  })

  const limitsAndCosts = async () => {
    const { query } = world.ctx.database
    const channels = (await channelRows()).map(({ id }) => id)
    // Those of channels that are gone are in no use.
    const windows = (await query.selectFrom('windows').selectAll().where('owner', '<>', 'plan').execute()).filter(
      ({ owner, ref }) => owner === 'group' || channels.includes(Number(ref)),
    )
    const costs = (await query.selectFrom('price_entries').selectAll().execute()).filter(({ channel_id: id }) =>
      channels.includes(id),
    )
    return [
      ...windows.map(({ owner, name, limit_amount: limit }) => `${owner} ${name} ${limit}`).sort(),
      ...costs.map(({ model, entry }) => `${model} ${entry}`).sort(),
    ]
  }

  once('limits of groups and channels and costs at channels are set, changed and removed', async () => {
    await apply(wholeSite, { variables: secrets })
    expect(await limitsAndCosts()).toEqual([
      'channel Minute 60',
      'group Weekly 5000',
      ' {"factor":0.8}',
      'own-1 {"prices":{"input":1,"output":3}}',
    ])
    const { current } = world.ctx.catalog
    expect(current.groupWindows.get('gold')).toMatchObject([{ name: 'Weekly' }])
    const ids = async () => (await world.ctx.database.query.selectFrom('windows').select('id').execute()).length
    const before = await ids()
    const changed = wholeSite.replace('limit: 60', 'limit: 90').replace('limit: 5000', 'limit: 7000')
    const { text } = await apply(changed.replace('factor: 0.8, ', ''), { variables: secrets })
    expect(text.split('\n')).toEqual([
      '~ channels.Main',
      expect.stringMatching(/^ {4}windows: .*"limit":60.* → .*"limit":90/),
      '    costs.factor: 0.8 → absent',
      '~ groups.gold',
      expect.stringMatching(/^ {4}windows: .*5000.* → .*7000/),
      'Done.',
    ])
    expect(await ids()).toBe(before)
    expect((await acts()).map(([action]) => action)).toEqual(
      expect.arrayContaining(['window.update', 'price.update_cost']),
    )
    const less = wholeSite.replace(/    windows: \[\{ name: Minute.*\n    costs.*\n/, '').replace(/  gold: .*/, '  {}')
    const { text: removed } = await apply(less, { variables: secrets })
    expect(removed).toContain('- groups.gold')
    expect(await limitsAndCosts()).toEqual([])
  })

  test('a group that a file never limited is left alone unless it prunes', async () => {
    const { query } = world.ctx.database
    await apply(wholeSite, { variables: secrets })
    await query.updateTable('windows').set({ ref: 'default' }).where('owner', '=', 'group').execute()
    await query.deleteFrom('applied_objects').where('kind', '=', 'groups').execute()
    await apply('groups: {}')
    expect(await limitsAndCosts()).toContain('group Weekly 5000')
    expect((await apply('groups: {}', { flags: ['--prune'] })).text).toContain('- groups.default')
  })

  test('a group that is not there, and a limit that cannot be, are refused at their place', async () => {
    const nowhere = 'groups:\n  nowhere: { windows: [{ name: A, measure: requests, limit: 1, span: day }] }\n'
    expect((await apply(nowhere)).text).toStartWith('site.yaml:2: groups.nowhere')
    const wrong = wholeSite.replace('limit: 60', 'limit: -1')
    expect((await apply(wrong, { variables: secrets })).text).toMatch(
      /^site\.yaml:\d+: channels\.Main\.windows\.0\.limit/,
    )
    expect(await limitsAndCosts()).toEqual([])
  })

  once('what changes is printed before it is committed: nothing changes where it cannot be', async () => {
    writeFileSync(file(), wholeSite)
    const { dataDir, databaseUrl } = world.ctx.config
    const environment = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }), KEY: 'k', ...secrets }
    const print = () => {
      throw new Error('The pipe is closed')
    }
    expect(runCommand(['apply', '-f', file()], { environment, print })).rejects.toThrow('The pipe is closed')
    expect(await channelRows()).toEqual([])
  })

  test('the second of two files that are applied at once finds what the first has made', async () => {
    const [one, two] = await Promise.all([
      apply(wholeSite, { variables: secrets }),
      apply(wholeSite, { variables: secrets }),
    ])
    expect([one.code, two.code]).toEqual([0, 0])
    expect([one.text, two.text]).toContain('Nothing to change.')
    expect((await channelRows()).map(({ name }) => name)).toEqual(['Main', 'Spare'])
  })

  test('no variable is shown, wherever it stands, nor what looks like a secret', async () => {
    const text = `channels:\n  A: {type: openai, key: k, models: [m], system_prompt: "\${PART}", other: sk-1234567890abcdef}\n`
    const first = await apply(text, { variables: { PART: 'hidden-part' } })
    expect(first.code).toBe(0)
    const second = await apply(text.replace('abcdef', 'fedcba'), { variables: { PART: 'other-part' } })
    expect(second.text).toContain('system_prompt')
    expect(second.text).not.toMatch(/other-part|sk-1234567890/)
  })

  test('groups go when nothing of the file is in them any more', async () => {
    await apply(wholeSite, { variables: secrets })
    const fewer = wholeSite
      .replace(', gold: 0.5', '')
      .replace('[default, gold]', '[default]')
      .replace('groups: [gold]', 'groups: []')
      .replace(/  gold: .*/, '  {}')
    expect(await apply(fewer, { variables: secrets })).toMatchObject({ code: 0 })
    expect(Object.keys(world.ctx.catalog.current.options.GroupRatio)).toEqual(['default', 'vip'])
  })
})

test('the schema for editors names every option and field', async () => {
  const lines: string[] = []
  expect(await runCommand(['apply', '--schema'], { environment: {}, print: (line) => lines.push(line) })).toBe(0)
  const schema = JSON.parse(lines.join('\n'))
  expect(Object.keys(schema.properties)).toEqual(['options', 'channels', 'prices', 'plans', 'groups'])
  expect(schema.properties.options.properties.QuotaForNewUser).toBeDefined()
  const channel = schema.properties.channels.additionalProperties
  expect(channel.properties.type.enum).toContain('openai')
  expect(channel.properties.models).toMatchObject({ type: 'array', items: { type: 'string' } })
  expect(schema.properties.plans.additionalProperties.required).toEqual(['price', 'length', 'unit'])
})
