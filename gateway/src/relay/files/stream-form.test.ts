import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { streamForm } from './stream-form'

const boundary = 'Xy'
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
/** What looks like the beginning of the boundary, and what does not. */
const bits = ['\r', '\n', '-', 'a', '--', '\r\n', '\r\n-', '\r\n--', '\r\n--X', '\r\r\n--X', `--${boundary}`]

test('a file arrives as it was sent, wherever its pieces end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...bits), { maxLength: 20 }).map((some) => some.join('')),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
      async (content, lengths) => {
        fc.pre(!content.includes(`\r\n--${boundary}`))
        const body = Buffer.from(`${head}${content}\r\n--${boundary}--\r\n`, 'latin1')
        async function* pieces() {
          for (let at = 0, turn = 0; at < body.length; turn += 1) {
            const length = lengths[turn % lengths.length] ?? 1
            yield Uint8Array.from(body.subarray(at, at + length))
            at += length
          }
        }
        let read = ''
        for await (const event of streamForm(pieces(), boundary))
          if ('bytes' in event) read += event.bytes.toString('latin1')
        expect(read).toBe(content)
      },
    ),
    { numRuns: 200 },
  ))
