import { expect, test } from 'bun:test'
import type { Socket } from 'bun'

import { Caller } from './caller'
import { LoadRun } from './load-run'

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const frame = (delta: object): Buffer => Buffer.from(chunk(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`))

test('the first token is the first word of the text, not the opening frame of a stream', () => {
  const run = new LoadRun({ port: 0, connections: 1, request: Buffer.alloc(1), milliseconds: 60_000, maxCalls: 1 })
  const socket: Pick<Socket<Caller>, 'write' | 'end' | 'terminate'> = { write: () => 1, end: () => 0, terminate() {} }
  const caller = new Caller(run, socket)
  caller.begin()
  caller.receive(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))
  caller.receive(frame({ role: 'assistant', content: '' }))
  expect(run.firstTokens).toHaveLength(0)
  caller.receive(frame({ content: 'the' }))
  caller.receive(frame({ content: ' quick' }))
  expect(run.firstTokens).toHaveLength(1)
  caller.receive(Buffer.from('0\r\n\r\n'))
  expect(run).toMatchObject({ calls: 1, failures: 0 })
})
