import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { channelStatus } from '@tollgate/contract'

import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { openKeys } from '../../channels/catalog/channel-keys'
import { runCommand } from './run-command'

describe.each(kinds)('a site as a file (%s)', (kind) => {
  let world: World
  let folder: string
  /** The last row of the audit log before the test. */
  let since: number
  beforeAll(async () => {
    world = await createWorld({ kind })
    folder = mkdtempSync(join(tmpdir(), 'tollgate-apply-'))
  })
  beforeEach(async () => {
    await apply('options: {}\nchannels: {}\nprices: {}\nplans: {}\n', { flags: ['--prune'] })
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
`
  const secrets = { MAIL: 'mail-secret', PROXY: 'proxy-secret' }

  test('a whole site is made of a file, once, and a running gateway follows', async () => {
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

  test('what was readFile is applied without a change, and readFile again as it was', async () => {
    await apply(wholeSite, { variables: secrets })
    const text = await readFile()
    expect(text).not.toMatch(/mail-secret|proxy-secret|sk-one|sk-ant/)
    expect(text).toContain('${CHANNEL_MAIN_KEY}')
    const applied = await apply(text)
    expect(applied).toEqual({ code: 0, text: 'Nothing to change.' })
    expect(await readFile()).toBe(text)
  })

  test('a secret that has no variable and is not stored is asked for', async () => {
    const place = `channels:\n  A:\n    type: openai\n    key: \${NOT_THERE}\n    models: [m]\n`
    expect((await apply(place)).text).toBe('site.yaml:4: channels.A.key: the variable NOT_THERE is not set')
    expect((await apply(place, { variables: { NOT_THERE: '' } })).text).toContain('NOT_THERE is not set')
    const part = place.replace('${NOT_THERE}', 'k') + '    base_url: https://u:${PART}@a.example\n'
    expect((await apply(part)).text).toBe('site.yaml:6: channels.A.base_url: the variable PART is not set')
    const option = 'options:\n  SMTPToken: ${MAIL}\n'
    expect((await apply(option)).text).toBe('site.yaml:2: options.SMTPToken: the variable MAIL is not set')
  })

  test('a dry run says what would change and changes nothing', async () => {
    const before = await readFile()
    const { text } = await apply(wholeSite, { flags: ['--dry-run'], variables: secrets })
    expect(text).toContain('+ channels.Main')
    expect(text).toContain('~ options.SystemName: "Tollgate" → "Example"')
    expect(text).toEndWith('Nothing was changed: this was a dry run.')
    expect(await readFile()).toBe(before)
    expect(await acts()).toEqual([])
  })

  test('what is refused after other changes undoes them too', async () => {
    const before = await readFile()
    const { code, text } = await apply(
      `options: {SystemName: Changed}\nchannels:\n  A: {type: openai, key: k, models: []}\n`,
    )
    expect(text).toContain('site.yaml:3: channels.A: Choose at least one model')
    expect(code).toBe(1)
    expect(await readFile()).toBe(before)
    expect(await acts()).toEqual([])
  })

  test('only what a file has made is removed when it names it no more, unless it prunes', async () => {
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

  test('groups go when nothing of the file is in them any more', async () => {
    await apply(wholeSite, { variables: secrets })
    const fewer = wholeSite
      .replace(', gold: 0.5', '')
      .replace('[default, gold]', '[default]')
      .replace('groups: [gold]', 'groups: []')
    expect(await apply(fewer, { variables: secrets })).toMatchObject({ code: 0 })
    expect(Object.keys(world.ctx.catalog.current.options.GroupRatio)).toEqual(['default', 'vip'])
  })
})

test('the schema for editors names every option and field', async () => {
  const lines: string[] = []
  expect(await runCommand(['apply', '--schema'], { environment: {}, print: (line) => lines.push(line) })).toBe(0)
  const schema = JSON.parse(lines.join('\n'))
  expect(Object.keys(schema.properties)).toEqual(['options', 'channels', 'prices', 'plans'])
  expect(schema.properties.options.properties.QuotaForNewUser).toBeDefined()
  const channel = schema.properties.channels.additionalProperties
  expect(channel.properties.type.enum).toContain('openai')
  expect(channel.properties.models).toMatchObject({ type: 'array', items: { type: 'string' } })
  expect(schema.properties.plans.additionalProperties.required).toEqual(['price', 'length', 'unit'])
})
