import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { lockFolder, openDataFolder, secretKeyOf } from './data-folder'

let path: string
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tollgate-folder-'))
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

test('the node id and the secret persist', () => {
  const first = openDataFolder(path)
  const secret = secretKeyOf(first, '')
  const second = openDataFolder(path)
  expect(second.nodeId).toBe(first.nodeId)
  expect(secretKeyOf(second, '')).toEqual(secret)
})

test('only its owner can read the secret', () => {
  secretKeyOf(openDataFolder(path), '')
  expect(statSync(join(path, 'secret-key')).mode & 0o777).toBe(0o600)
})

test('a configured secret wins and no file is created', () => {
  const folder = openDataFolder(path)
  expect(new TextDecoder().decode(secretKeyOf(folder, 'an obviously fake secret of 32 chars'))).toStartWith(
    'an obviously',
  )
  expect(() => statSync(join(path, 'secret-key'))).toThrow()
})

test('a second process is refused while the first holds the folder', async () => {
  const folder = openDataFolder(path)
  const script = `import { lockFolder, openDataFolder } from ${JSON.stringify(join(import.meta.dir, 'data-folder'))}
    try { lockFolder(openDataFolder(${JSON.stringify(path)})); console.log('locked') } catch (error) { console.log(error.message) }`
  const attempt = async () => {
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    return (await new Response(child.stdout).text()).trim()
  }
  {
    using lock = lockFolder(folder)
    expect(lock).toBeDefined()
    expect(await attempt()).toStartWith('Another gateway runs on the data folder')
  }
  expect(await attempt()).toBe('locked')
})
