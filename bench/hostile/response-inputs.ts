import { parseInTurns } from '../../gateway/src/channels/calls/parse-response-object'
import type { HostileInput } from './hostile-input'

const megabyte = 1024 * 1024

/** What an upstream responds with in one piece, of this many megabytes, as it is parsed. */
const response =
  (textOf: (bytes: number) => string) =>
  (size: number): (() => unknown) => {
    const bytes = Buffer.from(textOf(size * megabyte))
    return () => parseInTurns(bytes)
  }

const message = (members: object) =>
  JSON.stringify({ choices: [{ index: 0, message: members, finish_reason: 'stop' }] })
const list = (count: number, element: (index: number) => unknown) =>
  Array.from({ length: Math.floor(count) }, (_, index) => element(index))
const floats = list(1536, (index) => Math.sin(index) / 10)

/** Whole responses, which are read up to 64 MB. */
export const responseInputs: readonly HostileInput[] = [
  {
    name: 'a response of one text',
    size: 17,
    make: response((bytes) => message({ content: 'Ice. '.repeat(bytes / 5) })),
  },
  { name: 'a response of quotes', size: 17, make: response((bytes) => message({ content: '"'.repeat(bytes / 2) })) },
  {
    name: 'a response with a picture',
    size: 17,
    make: response((bytes) => message({ images: [{ url: 'iVBORw0K'.repeat(bytes / 8) }] })),
  },
  {
    name: 'a response of many calls',
    size: 6,
    make: response((bytes) =>
      message({
        tool_calls: list(bytes / 84, (index) => ({
          id: `c${index}`,
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      }),
    ),
  },
  {
    name: 'a response of vectors',
    size: 17,
    make: response((bytes) =>
      JSON.stringify({ data: list(bytes / (1536 * 20), (index) => ({ index, embedding: floats })) }),
    ),
  },
]
