import { expect, test } from 'bun:test'

import { linesOf } from './read-file'

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array, void> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size)
}

const read = async (text: string, size: number, maxLineBytes = 100) => {
  const lines: (readonly [number, string])[] = []
  for await (const { number, text: line } of linesOf(cut(text, size), maxLineBytes)) lines.push([number, line])
  return lines
}

test.each([1, 2, 3, 7, 1000])('lines are the same wherever a file is cut, as after each %i bytes', async (size) => {
  expect(await read('\uFEFFone\r\n\n  zwei ä€😀\t\n \nlast', size)).toEqual([
    [1, 'one'],
    [3, 'zwei ä€😀'],
    [5, 'last'],
  ])
  expect(await read('', size)).toEqual([])
  const tooLong = read(`ok\n${'x'.repeat(101)}`, size)
  expect(await tooLong.catch((error: unknown) => error)).toMatchObject({ code: 'file.line_long', params: { line: 2 } })
})
