import { expect, test } from 'bun:test'

import { textStream } from './text-stream'

/** Serves a body over a socket. */
async function serveBody<T>(body: () => ReadableStream<Uint8Array>, visit: (url: URL) => Promise<T>): Promise<T> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: () => new Response(body()) })
  try {
    return await visit(server.url)
  } finally {
    await server.stop(true)
  }
}

const noFailure = (error: unknown) => {
  throw error
}

test('all parts arrive in order, and empty ones leave no trace', async () => {
  async function* parts() {
    yield* ['a', '', '', 'ä', '']
    yield 'c'
  }
  const text = await serveBody(
    () => textStream(parts(), noFailure),
    async (url) => (await fetch(url)).text(),
  )
  expect(text).toBe('aäc')
})

test('parts are generated on demand', async () => {
  let partCount = 0
  async function* parts() {
    for (;;) {
      partCount += 1
      yield 'x'
    }
  }
  const reader = textStream(parts(), noFailure).getReader()
  expect(partCount).toBe(0)
  await reader.read()
  await reader.read()
  expect(partCount).toBe(2)
  await reader.cancel()
})

test.each(['x'.repeat(100_000), ''])('generation ends when the client leaves', async (part) => {
  const ended = Promise.withResolvers<void>()
  async function* parts() {
    try {
      yield 'first'
      for (;;) {
        yield part
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      ended.resolve()
    }
  }
  await serveBody(
    () => textStream(parts(), noFailure),
    async (url) => {
      const leaving = new AbortController()
      const response = await fetch(url, { signal: leaving.signal })
      await response.body?.getReader().read()
      leaving.abort()
      await ended.promise
    },
  )
})

test('a failure midway is reported, and the client does not take it for the end', async () => {
  const failures: unknown[] = []
  async function* parts() {
    yield 'first'
    await new Promise((resolve) => setImmediate(resolve))
    throw new Error('the database went away')
  }
  const outcome = await serveBody(
    () => textStream(parts(), (error) => failures.push(error)),
    async (url) => (await fetch(url)).text().catch(() => 'broken'),
  )
  expect(outcome).toBe('broken')
  expect(failures).toHaveLength(1)
})
