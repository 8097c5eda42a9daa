import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'

import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { createSecretsCheck } from '../../channels/catalog/secrets-check'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'
import { lockFolder, nextSecretKeyPath, pathsIn } from '../../platform/store/data-folder'
import { sealedColumns } from '../../platform/store/sealed-columns'
import { createSeal, type Seal } from '../../platform/store/seal'
import { runCommand } from './run-command'

const oldSecret = 'an obviously fake secret, the old one'
const newSecret = 'an obviously fake secret, the new one'
const sealOf = (secret: string) => createSeal(new TextEncoder().encode(secret))

/** Stores secrets in every sealed column, some of them as earlier releases sealed them. */
async function seal(world: World) {
  const { database, seal: present } = world.ctx
  const { query } = database
  const channel = { type: 1, name: 'c', tag: null, created_time: 1 }
  const token = { user_id: 1, name: 't', created_time: 1, deleted_at: null }
  await query
    .insertInto('channels')
    .values([
      {
        ...channel,
        id: 1,
        key_sealed: present.seal('sk-1', 'channels.key_sealed#1'),
        secrets_sealed: present.seal('proxy password', 'channels.secrets_sealed#1'),
      },
      { ...channel, id: 2, key_sealed: present.seal('sk-2'), secrets_sealed: '' },
      { ...channel, id: 3, key_sealed: '', secrets_sealed: '' },
    ])
    .execute()
  await query
    .insertInto('tokens')
    .values({ ...token, id: 1, key_hash: 'h', key_sealed: present.seal('t-1') })
    .execute()
  await query
    .insertInto('options')
    .values([
      { key: 'EpayKey', value: present.seal('e-1', 'options.value#EpayKey') },
      { key: 'SystemName', value: 'v1.not-a-secret' },
    ])
    .execute()
  await query
    .insertInto('log_texts')
    .values([
      {
        request_id: 'sealed',
        created_at: 1,
        context: '',
        input: present.seal('asked', 'log_texts.input#sealed'),
        output: present.seal('said', 'log_texts.output#sealed'),
      },
      { request_id: 'open', created_at: 1, context: '', input: 'asked openly', output: '' },
    ])
    .execute()
  await query
    .insertInto('realtime_secrets')
    .values({
      hash: 'ab12',
      sealed: present.seal('granted', 'realtime_secrets.sealed#ab12'),
      expires_at: 2_000_000_000,
    })
    .execute()
  await createSecretsCheck(world.ctx).problem()
}

/** Resolves with every sealed text, decrypted. */
async function openAllSealed({ ctx: { database } }: World, with_: Seal): Promise<string[]> {
  const plain: string[] = []
  for (const column of sealedColumns) {
    for (const { text, context } of await column.page(database.query, null, 100)) {
      if (text !== '') plain.push(with_.open(text, context))
    }
  }
  return plain
}

const everything = [
  'sk-1',
  'sk-2',
  'proxy password',
  't-1',
  'e-1',
  'asked openly',
  'asked',
  'said',
  'granted',
  'tollgate',
]

async function rotate(world: World, environment: Record<string, string> = {}, ...words: string[]) {
  const { config } = world.ctx
  const lines: string[] = []
  const code = await runCommand(['rotate-secret', ...words], {
    environment: {
      DATA_DIR: config.dataDir,
      ...(config.databaseUrl && { DATABASE_URL: config.databaseUrl }),
      ...environment,
    },
    print: (line) => lines.push(line),
  })
  return { code, text: lines.join('\n') }
}

const keysAre = { SECRET_KEY: newSecret, PREVIOUS_SECRET_KEY: oldSecret }

describe.each(kinds)('changing the secret key (%s)', (kind) => {
  const once = onceOf(kind)

  const aWorld = (environment: Record<string, string> = {}) => createWorld({ kind, environment })

  once('everything is sealed with the new key, bound to its place, and recorded in the audit log', async () => {
    await using world = await aWorld({ SECRET_KEY: oldSecret })
    await seal(world)
    const { code, text } = await rotate(world, keysAre)
    expect([code, text]).toEqual([0, expect.stringContaining('channels.key_sealed: 2 sealed anew')])
    expect((await openAllSealed(world, sealOf(newSecret))).sort()).toEqual([...everything].sort())
    expect(openAllSealed(world, sealOf(oldSecret))).rejects.toThrow()
    const { query } = world.ctx.database
    expect(await findTexts(query, 'open', sealOf(newSecret))).toMatchObject({ input_content: 'asked openly' })
    const name = await query.selectFrom('options').select('value').where('key', '=', 'SystemName').executeTakeFirst()
    expect(name?.value).toBe('v1.not-a-secret')
    const [row] = await query.selectFrom('audit_log').selectAll().execute()
    expect([row?.action, row?.means]).toEqual(['secret.rotate', 'command'])
    expect(JSON.parse(row?.after ?? '')).toMatchObject({ 'tokens.key_sealed': 1 })
  })

  test('an interrupted change is resumed, and changes nothing the second time', async () => {
    await using world = await aWorld({ SECRET_KEY: oldSecret })
    await seal(world)
    const context = 'channels.key_sealed#1'
    const done = sealOf(newSecret).seal('sk-1', context)
    const { query } = world.ctx.database
    await query.updateTable('channels').set({ key_sealed: done }).where('id', '=', 1).execute()
    expect((await rotate(world, keysAre)).text).toContain('channels.key_sealed: 1 sealed anew')
    const channel = await query.selectFrom('channels').select('key_sealed').where('id', '=', 1).executeTakeFirst()
    expect(channel?.key_sealed).toBe(done)
    expect((await rotate(world, keysAre)).text).not.toMatch(/: [1-9]\d* sealed anew/)
    expect((await openAllSealed(world, sealOf(newSecret))).sort()).toEqual([...everything].sort())
  })

  once('nothing is changed while there are secrets that neither key decrypts, unless they are to be left', async () => {
    await using world = await aWorld({ SECRET_KEY: oldSecret })
    await seal(world)
    const { query } = world.ctx.database
    const lost = sealOf('an obviously fake secret, a lost one').seal('sk-lost', 'channels.key_sealed#3')
    await query.updateTable('channels').set({ key_sealed: lost }).where('id', '=', 3).execute()
    const refused = await rotate(world, keysAre)
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('1 in channels.key_sealed')])
    const before = await query.selectFrom('channels').select('key_sealed').orderBy('id').execute()
    expect(sealOf(oldSecret).open(before[0]?.key_sealed ?? '', 'channels.key_sealed#1')).toBe('sk-1')
    const left = await rotate(world, keysAre, '--skip-unknown')
    expect([left.code, left.text]).toEqual([0, expect.stringContaining('channels.key_sealed: 1 left as they are')])
    const after = await query.selectFrom('channels').select('key_sealed').orderBy('id').execute()
    expect(after[2]?.key_sealed).toBe(lost)
    expect(sealOf(newSecret).open(after[0]?.key_sealed ?? '', 'channels.key_sealed#1')).toBe('sk-1')
  })

  test('a gateway that was started with both keys works before, during and after the change', async () => {
    await using world = await aWorld({ SECRET_KEY: oldSecret })
    await seal(world)
    const both = createSeal(new TextEncoder().encode(newSecret), new TextEncoder().encode(oldSecret))
    const check = createSecretsCheck({ database: world.ctx.database, seal: both })
    expect(await check.problem()).toBeNull()
    await rotate(world, keysAre)
    expect(await check.problem()).toBeNull()
    expect((await openAllSealed(world, both)).sort()).toEqual([...everything].sort())
  })

  once('a key is created in the folder without SECRET_KEY, and the old one kept next to it', async () => {
    await using world = await aWorld()
    await seal(world)
    const { secretKeyPath } = pathsIn(world.ctx.config.dataDir)
    const before = readFileSync(secretKeyPath, 'utf8')
    expect((await rotate(world)).code).toBe(0)
    const after = readFileSync(secretKeyPath, 'utf8')
    expect(after).not.toBe(before)
    expect(readFileSync(`${secretKeyPath}.previous`, 'utf8')).toBe(before)
    expect(statSync(secretKeyPath).mode & 0o077).toBe(0)
    expect(existsSync(nextSecretKeyPath(pathsIn(world.ctx.config.dataDir)))).toBe(false)
    expect((await openAllSealed(world, sealOf(after.trim()))).sort()).toEqual([...everything].sort())
  })

  once('an interrupted change in the folder leaves a gateway that decrypts everything', async () => {
    await using world = await aWorld()
    await seal(world)
    const paths = pathsIn(world.ctx.config.dataDir)
    writeFileSync(nextSecretKeyPath(paths), `${newSecret}\n`)
    const { query } = world.ctx.database
    const key_sealed = sealOf(newSecret).seal('sk-1', 'channels.key_sealed#1')
    await query.updateTable('channels').set({ key_sealed }).where('id', '=', 1).execute()
    const lines: string[] = []
    const environment = {
      PORT: '0',
      DATA_DIR: paths.path,
      ...(world.ctx.config.databaseUrl && { DATABASE_URL: world.ctx.config.databaseUrl }),
    }
    await runCommand(['doctor'], { environment, print: (line) => lines.push(line) })
    expect(lines.join('\n')).toContain('decrypts all 4 sealed secrets')
    expect((await rotate(world)).code).toBe(0)
    expect(readFileSync(paths.secretKeyPath, 'utf8').trim()).toBe(newSecret)
  })
})

test('the key in the folder of a running gateway is not changed', async () => {
  await using world = await createWorld()
  await seal(world)
  using _lock = lockFolder({ path: world.ctx.config.dataDir })
  const { code, text } = await rotate(world)
  expect([code, text]).toEqual([1, expect.stringContaining('Stop it first')])
})
