import { expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'

import { openGate } from './tcp-gate'

/** A server that repeats what it hears, behind a gate. */
async function anEcho() {
  await using stack = new AsyncDisposableStack()
  const server = createServer((socket) => void socket.on('error', () => {}).pipe(socket))
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  stack.defer(() => void server.close())
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port')
  const gate = stack.use(await openGate(address.port))
  const owned = stack.move()
  return { gate, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** A client that tells what it hears, and when it is left. */
function dial(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  const closed = Promise.withResolvers<'closed'>()
  let heard = ''
  const waiting = new Map<string, () => void>()
  socket.on('error', () => {})
  socket.on('close', () => closed.resolve('closed'))
  socket.on('data', (bytes) => {
    heard += bytes.toString()
    waiting.get(heard)?.()
  })
  return {
    socket,
    say: (text: string) => void socket.write(text),
    closed: closed.promise,
    async hears(text: string) {
      if (heard !== text) await new Promise<void>((resolve) => waiting.set(text, resolve))
      return heard
    },
    heard: () => heard,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

const isConnected = (socket: Socket) => new Promise<void>((resolve) => socket.once('connect', resolve))

test('an open gate passes everything on in order, slowly if told to', async () => {
  await using echo = await anEcho()
  using client = dial(echo.gate.port)
  client.say('one ')
  await client.hears('one ')
  echo.gate.slow(5)
  client.say('two ')
  client.say('three')
  expect(await client.hears('one two three')).toBe('one two three')
})

test('what a hanging gate held back flows when it opens', async () => {
  await using echo = await anEcho()
  using old = dial(echo.gate.port)
  old.say('a')
  await old.hears('a')
  echo.gate.hang()
  using late = dial(echo.gate.port)
  await isConnected(late.socket)
  old.say('b')
  late.say('c')
  await echo.gate.open()
  expect(await old.hears('ab')).toBe('ab')
  expect(await late.hears('c')).toBe('c')
})

test('a full server closes new connections and keeps those it has', async () => {
  await using echo = await anEcho()
  using old = dial(echo.gate.port)
  old.say('a')
  await old.hears('a')
  echo.gate.turnAway()
  using late = dial(echo.gate.port)
  expect(await late.closed).toBe('closed')
  old.say('b')
  expect(await old.hears('ab')).toBe('ab')
})

test('a cut breaks the connections of now and no later one; a server that is gone breaks both until it is back', async () => {
  await using echo = await anEcho()
  using first = dial(echo.gate.port)
  first.say('a')
  await first.hears('a')
  echo.gate.cut()
  expect(await first.closed).toBe('closed')
  using second = dial(echo.gate.port)
  second.say('b')
  await second.hears('b')
  await echo.gate.refuse()
  expect(await second.closed).toBe('closed')
  using refused = dial(echo.gate.port)
  expect(await refused.closed).toBe('closed')
  await echo.gate.open()
  using third = dial(echo.gate.port)
  third.say('c')
  expect(await third.hears('c')).toBe('c')
})

test('forgotten connections are dead without a word; new ones pass', async () => {
  await using echo = await anEcho()
  using old = dial(echo.gate.port)
  old.say('a')
  await old.hears('a')
  echo.gate.forget()
  old.say('b')
  using late = dial(echo.gate.port)
  late.say('c')
  await late.hears('c')
  expect(old.heard()).toBe('a')
  expect(old.socket.closed).toBe(false)
})
