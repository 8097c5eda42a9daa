import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ApiError, backupRoutes, role, accountRoutes, type Client } from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { createWorld, type World } from '../../../test/world'
import { selfHandlers } from '../account/account'
import { makeScheduledBackup } from '../../operations/scheduled-backup'
import { readBackup } from '../../operations/manifest'
import { backupState, startBackup } from '../../operations/backups'
import { saveBackup } from '../../operations/save-backup'
import { backupHandlers } from './backups'

const password = 'correct horse'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('backups of a gateway (%s)', (kind) => {
  let world: World
  let site: TestConsole
  let root: SignedIn
  let client: Client
  let folder: string
  let now = Date.UTC(2026, 0, 5, 2, 30)
  const clock = createClock(() => now)

  beforeAll(async () => {
    world = await createWorld({ kind, clock })
    folder = join(world.ctx.config.dataDir, 'backups')
    site = createTestConsole(world.ctx, [...backupHandlers, ...selfHandlers])
    const { id } = await anAccount(world.ctx, { role: role.root, password })
    root = await site.signIn(id)
    client = site.client(root)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** The work of the command without a process for each. */
  const inProcess = () => ({
    ...world.ctx,
    runCommand: async ([, path = '']: readonly string[]) => {
      await saveBackup(world.ctx.config, path)
      return { code: 0, output: '' }
    },
  })
  const list = () => client.call(backupRoutes.listBackups)
  async function make(): Promise<string> {
    const { name } = await client.call(backupRoutes.makeBackup)
    await eventually(async () => !(await backupState(world.ctx)).is_running || null)
    return name
  }

  test('backups are made during calls, listed, verified, downloaded as an archive and deleted', async () => {
    expect(await list()).toMatchObject({ items: [], is_running: false, last: null, has_database: kind === 'sqlite' })
    const name = await make()
    const backups = await list()
    expect(backups.last).toMatchObject({ name, failure: '' })
    expect(backups.items).toMatchObject([{ name, is_scheduled: false, database: kind, failure: '' }])
    expect(backups.items[0]?.bytes).toBeGreaterThan(0)
    expect(await client.call(backupRoutes.verifyBackup, { params: { name } })).toEqual({ failure: '' })

    expect(await outcomeOf(client.download(backupRoutes.downloadBackup, { params: { name } }))).toBe('auth.step_up')
    const { proof } = await client.call(accountRoutes.stepUp, { body: { purpose: 'backup', password } })
    const archive = await client.download(backupRoutes.downloadBackup, { params: { name }, stepUpProof: proof })
    const unpacked = mkdtempSync(join(tmpdir(), 'tollgate-unpacked-'))
    const tar = Bun.spawn(['tar', '-xf', '-', '-C', unpacked], { stdin: await archive.bytes() })
    expect(await tar.exited).toBe(0)
    expect((await readBackup(join(unpacked, name))).database).toBe(kind)
    rmSync(unpacked, { recursive: true })

    appendFileSync(join(folder, name, 'node-id'), 'x')
    expect((await client.call(backupRoutes.verifyBackup, { params: { name } })).failure).toContain('is damaged')
    await client.call(backupRoutes.deleteBackup, { params: { name } })
    expect([(await list()).items, readdirSync(folder)]).toEqual([[], []])
    expect(await outcomeOf(client.call(backupRoutes.deleteBackup, { params: { name } }))).toBe('backup.none')
  }, 120_000)

  test('backups are downloaded by their address with a ticket: once, for a minute, by the session that requested it', async () => {
    const { name, ended } = await startBackup(inProcess(), 'manual')
    await ended
    const params = { name }
    expect(await outcomeOf(client.call(backupRoutes.createBackupTicket, { params }))).toBe('auth.step_up')
    const { proof } = await client.call(accountRoutes.stepUp, { body: { purpose: 'backup', password } })
    const ticket = async () =>
      (await client.call(backupRoutes.createBackupTicket, { params, stepUpProof: proof })).ticket
    // As a browser follows an address: with the cookie and no other header.
    const download = async (withTicket: string, { as = root, of = name, headers = {} } = {}) => {
      const response = await site.send('GET', `/api/backup/${of}/file?ticket=${withTicket}`, {
        headers: { ...headers, ...(as && { Cookie: as.cookie }) },
      })
      if (!response.headers.get('Content-Type')?.startsWith('application/json'))
        return [response.headers.get('Content-Disposition'), (await response.bytes()).length > 1024]
      return [((await response.json()) as { code: string }).code]
    }
    const first = await ticket()
    expect(await download(first, { as: { userId: 0, cookie: '' } })).toEqual(['auth.required'])
    expect(await download(first, { as: await site.signIn(root.userId) })).toEqual(['download.expired'])
    expect(await download(first, { of: 'manual-20260101-000000' })).toEqual(['download.expired'])
    expect(await download(first, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).toEqual(['auth.forbidden'])
    expect(await download(first)).toEqual([`attachment; filename="${name}.tar"`, true])
    expect(await download(first)).toEqual(['download.expired'])
    const second = await ticket()
    now += 61_000
    expect(await download(second)).toEqual(['download.expired'])
    await client.call(backupRoutes.deleteBackup, { params })
  })

  test('backups are made one at a time, and each has a name of its own', async () => {
    const open = Promise.withResolvers<void>()
    const waiting = {
      ...world.ctx,
      runCommand: async (words: readonly string[]) => {
        await open.promise
        return inProcess().runCommand(words)
      },
    }
    const { ended, name } = await startBackup(waiting, 'manual')
    expect(await outcomeOf(client.call(backupRoutes.makeBackup))).toBe('backup.running')
    expect((await list()).is_running).toBe(true)
    open.resolve()
    expect((await ended).failure).toBe('')
    const { name: another, ended: end } = await startBackup(inProcess(), 'manual')
    await end
    expect(another).not.toBe(name)
    for (const one of [name, another]) await client.call(backupRoutes.deleteBackup, { params: { name: one } })
  }, 120_000)

  test('failed backups leave nothing but the reason', async () => {
    const { last } = await list()
    const failing = { ...world.ctx, runCommand: () => Promise.resolve({ code: 1, output: 'Told\nThe disk is full' }) }
    const { ended } = await startBackup(failing, 'manual')
    expect((await ended).failure).toBe('The disk is full')
    expect((await list()).last).toMatchObject({ failure: 'The disk is full' })
    expect((await list()).last).not.toEqual(last)
    expect(readdirSync(folder)).toEqual([])
  })

  test('the schedule makes backups once a day after its hour, and removes the oldest of those beyond the number', async () => {
    await setOptionsIn(world.ctx, { BackupSchedule: 'daily', BackupHour: '3', BackupKeep: '1' })
    const runScheduled = async () => {
      await makeScheduledBackup(inProcess(), 'daily')
      return (await list()).items.map(({ name }) => name)
    }
    const { name: byHand, ended } = await startBackup(inProcess(), 'manual')
    await ended
    const handmade = join(folder, byHand)
    expect(await runScheduled()).toEqual([byHand])
    now = Date.UTC(2026, 0, 5, 3, 1)
    const first = (await runScheduled()).filter((name) => name !== byHand)
    expect(first).toEqual(['scheduled-20260105-030100'])
    now = Date.UTC(2026, 0, 5, 23)
    expect(await runScheduled()).toContain('scheduled-20260105-030100')
    now = Date.UTC(2026, 0, 6, 3)
    expect((await runScheduled()).filter((name) => name !== byHand)).toEqual(['scheduled-20260106-030000'])
    expect(existsSync(handmade)).toBe(true)
    now = Date.UTC(2026, 0, 12, 3)
    await makeScheduledBackup(inProcess(), 'weekly')
    expect((await list()).items.some(({ name }) => name.startsWith('scheduled-20260112'))).toBe(false)
    now = Date.UTC(2026, 0, 13, 3)
    await makeScheduledBackup(inProcess(), 'weekly')
    expect((await list()).items.some(({ name }) => name.startsWith('scheduled-20260113'))).toBe(true)
  }, 120_000)

  test('backups with an unreadable manifest are shown as damaged', async () => {
    const [backup] = (await list()).items
    writeFileSync(join(folder, backup?.name ?? '', 'manifest.json'), '{')
    const shown = (await list()).items.find(({ name }) => name === backup?.name)
    expect(shown?.failure).toContain('is not a backup')
  })

  test('backups are the super admin’s, and no path leads out of their folder', async () => {
    const site = createTestConsole(world.ctx, backupHandlers)
    const admin = site.client(await site.signIn((await anAccount(world.ctx, { role: role.admin })).id))
    expect(await outcomeOf(admin.call(backupRoutes.listBackups))).toBe('success')
    expect(await outcomeOf(admin.call(backupRoutes.makeBackup))).toBe('auth.forbidden')
    const name = '../secret-key'
    expect(await outcomeOf(client.call(backupRoutes.deleteBackup, { params: { name } }))).toBe('input.invalid')
  })
})
