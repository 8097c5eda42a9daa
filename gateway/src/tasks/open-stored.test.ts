import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { createWorld, type World } from '../../test/world'
import { openStored } from './open-stored'

const name = '2026-03-01/song'
const content = '0123456789abc'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await Bun.write(join(world.ctx.config.dataDir, 'task-results', name), content)
})
afterAll(() => world[Symbol.asyncDispose]())

async function open(range: string | null) {
  const opened = await openStored(world.ctx, { name, contentType: 'audio/mpeg' }, range)
  if (!opened || opened instanceof Response) throw new Error('a file is opened here')
  const { status, headers, body } = opened
  return [status, headers['content-length'], headers['content-range'], await new Response(body).text()]
}

test.each([
  ['bytes=0-', '0-12', content],
  ['bytes=9-12', '9-12', '9abc'],
  ['bytes=0-0', '0-0', '0'],
  ['bytes=12-', '12-12', 'c'],
  ['bytes=5-400', '5-12', '56789abc'],
])('the range %s of a kept result is the bytes %s', async (range, place, part) => {
  expect(await open(range)).toEqual([206, String(part.length), `bytes ${place}/13`, part])
})

test.each([null, 'bytes=13-', 'bytes=5-4', 'bytes=-4', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b'])(
  'a kept result is sent whole for the range %p',
  async (range) => {
    expect(await open(range)).toEqual([200, '13', undefined, content])
  },
)

test('a result that is not there any more is not opened', async () => {
  expect(await openStored(world.ctx, { name: '2026-03-01/other', contentType: 'audio/mpeg' }, null)).toBeNull()
})
