import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { ResponseBody, pour, type ByteReader, type Bytes } from './response-body'

const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text))
const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()

const messageOf = (failing: Promise<unknown>) => failing.catch((error: Error) => error.message)

function aBody() {
  const calls: string[] = []
  const source = (['pause', 'resume', 'cancel'] as const).map((name) => [name, () => void calls.push(name)] as const)
  const body = new ResponseBody(Object.fromEntries(source) as Record<'pause' | 'resume' | 'cancel', () => void>)
  return { body, calls }
}

/** Returns the same body without `pour`. */
const readOnly = (body: ResponseBody): ByteReader<Bytes> => ({ read: () => body.read(), cancel: () => body.cancel() })

describe.each([
  ['as it comes', (body: ResponseBody): ByteReader<Bytes> => body],
  ['by reading it', readOnly],
])('a body that is poured %s', (_how, readerOf) => {
  test('a body is delivered completely and in order, however often its consumer pauses', async () => {
    const step = fc.oneof(
      fc.string({ minLength: 1, maxLength: 3 }).map((piece) => ({ piece })),
      fc.constant({ piece: null }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(fc.boolean()), async (steps, accepts) => {
        const { body } = aBody()
        const taken: Uint8Array[] = []
        const rests = [...accepts]
        const take = (piece: Uint8Array) => {
          taken.push(piece)
          return rests.shift() ?? true
        }
        const all = (async () => {
          while (!(await pour(readerOf(body), take)));
        })()
        for (const { piece } of steps) {
          if (piece === null) await Promise.resolve()
          else body.push(bytes(piece))
        }
        body.end()
        await all
        expect(textOf(taken)).toBe(steps.map(({ piece }) => piece ?? '').join(''))
      }),
    )
  })

  test('a body that breaks off delivers what arrived before, then fails', async () => {
    const { body } = aBody()
    body.push(bytes('a'))
    const taken: Uint8Array[] = []
    const poured = pour(readerOf(body), (piece) => taken.push(piece) > 0)
    body.push(bytes('b'))
    await Promise.resolve()
    body.fail(new Error('reset'))
    expect(await messageOf(poured)).toBe('reset')
    expect(textOf(taken)).toBe('ab')
  })

  test('an error of the consumer is thrown, and the body can be read on', async () => {
    const { body } = aBody()
    const poured = pour(readerOf(body), () => {
      throw new Error('no')
    })
    body.push(bytes('a'))
    body.push(bytes('b'))
    expect(await messageOf(poured)).toBe('no')
    expect(await body.read()).toEqual({ done: false, value: bytes('b') })
  })
})

test('a body whose consumer pauses pauses its connection, and resumes when it is poured again', async () => {
  const { body, calls } = aBody()
  const first = pour(body, () => false)
  body.push(bytes('x'))
  expect(await first).toBe(false)
  const large = bytes('y'.repeat(200 * 1024))
  body.push(large)
  expect(calls).toEqual([])
  body.push(large)
  expect(calls).toEqual(['pause'])
  const second = pour(body, (piece) => piece.length < 2 * large.length)
  expect(await second).toBe(false)
  expect(calls).toEqual(['pause', 'resume'])
})

test('a consumer that fails the body while consuming is told once', async () => {
  const { body } = aBody()
  const poured = pour(body, () => {
    body.fail(new Error('left'))
    return false
  })
  body.push(bytes('a'))
  expect(await messageOf(poured)).toBe('left')
})
