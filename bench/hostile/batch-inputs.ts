import { elementsOf } from '../../gateway/src/relay/batches/split-requests'
import { nextTurn } from '../../gateway/src/platform/time/timers'
import { linesOf } from '../../gateway/src/tasks/files/read-file'
import type { HostileInput } from './hostile-input'

const megabyte = 1024 * 1024

/** A file of this many megabytes, as its lines are read out of pieces of this size. */
const lines =
  (text: string, pieceBytes: number) =>
  (size: number): (() => Promise<void>) => {
    const bytes = Buffer.alloc(size * megabyte, text)
    async function* pieces() {
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        await nextTurn()
        yield bytes.subarray(from, from + pieceBytes)
      }
    }
    return async () => {
      for await (const { text: line } of linesOf(pieces(), bytes.length)) if (line === '') break
    }
  }

/** A submission of messages, as its requests are found in it. */
const submission =
  (text: string) =>
  (size: number): (() => Promise<void>) => {
    const body = `{${text.repeat((size * megabyte) / text.length)}`
    return async () => {
      try {
        for (const _ of elementsOf(body, 'requests')) await nextTurn()
      } catch {
        // What is refused has cost its time too.
      }
    }
  }

/** Files of batches, what vendors return for them, and submissions. */
export const batchInputs: readonly HostileInput[] = [
  { name: 'files of batches: short lines', size: 4, make: lines('{}\n', megabyte) },
  { name: 'files of batches: empty lines', size: 4, make: lines('\n', megabyte) },
  { name: 'results of batches: one line in small pieces', size: 8, make: lines('x', 16 * 1024) },
  { name: 'submissions of batches: blanks', size: 15, make: submission(' ') },
  { name: 'submissions of batches: another list', size: 15, make: submission('"a":[0,0],') },
  { name: 'submissions of batches: quotes', size: 15, make: submission('\\"') },
]
