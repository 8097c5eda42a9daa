import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { FileResult } from '../../http/response/file-response'

const blockBytes = 512
/** Above it the octal field of a size is full; then it is a binary number. */
const maxOctal = 8 ** 11

/**
 * Returns a folder as one archive, read while it is sent.
 * https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_06
 */
export async function tarFile(name: string, path: string): Promise<FileResult> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  async function* blocks(): AsyncGenerator<Uint8Array> {
    for (const file of files.sort()) {
      const { size, mtimeMs } = await stat(file)
      yield headerOf({ folder: name, name: file.slice(path.length + 1), size, mtimeMs })
      yield* Bun.file(file).stream()
      yield new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes)
    }
    yield new Uint8Array(2 * blockBytes)
  }
  return { name: `${name}.tar`, body: streamOf(blocks()) }
}

/** Read only as fast as it is sent. */
const streamOf = (blocks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await blocks.next()
          if (done) return controller.close()
          if (value.length === 0) continue
          return controller.enqueue(value)
        }
      },
      cancel: async () => void (await blocks.return(undefined)),
    },
    { highWaterMark: 0 },
  )

interface Entry {
  /** The folder in the archive. */
  readonly folder: string
  readonly name: string
  readonly size: number
  readonly mtimeMs: number
}

function headerOf({ folder, name, size, mtimeMs }: Entry): Uint8Array {
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1')
  header.write(name, 0, 100, 'utf8')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  if (size < maxOctal) octal(size, 124, 12)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  octal(Math.floor(mtimeMs / 1000), 136, 12)
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(folder, 345, 155, 'utf8')
  // The checksum is computed with its own field blank.
  header.write(' '.repeat(8), 148, 'latin1')
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return header
}
