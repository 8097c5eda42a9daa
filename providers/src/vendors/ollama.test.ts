import { expect, test } from 'bun:test'

import { LineUnframer } from './ollama'

test('lines become events wherever the stream is cut', () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n\r\n{"b":1}\r\n{"c":2}')
  const seen = new Set<string>()
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const unframer = new LineUnframer()
    const parts = [unframer.push(bytes.subarray(0, cut)), unframer.push(bytes.subarray(cut)), unframer.end()]
    seen.add(Buffer.concat(parts).toString().replaceAll('\r', ''))
  }
  expect([...seen]).toEqual(['data: {"a":"é"}\n\ndata: {"b":1}\n\ndata: {"c":2}\n\n'])
})
