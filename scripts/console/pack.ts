import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { Glob } from 'bun'

import { listName, type ConsoleFile } from '../../gateway/src/http/console-files/console-build'

const isText = /\.(css|html|js|json|map|svg|txt|wasm|webmanifest)$/
const encoders = {
  br: {
    suffix: '.br',
    encode: promisify(brotliCompress),
    options: { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } },
  },
  gzip: { suffix: '.gz', encode: promisify(gzip), options: { level: 9 } },
} as const

/** Write every encoding of every file of a build beside it, and the list the gateway serves from. */
export async function pack(folder: string): Promise<void> {
  const names = (await Array.fromAsync(new Glob('**/*').scan({ cwd: folder }))).sort()
  const files = await Promise.all(names.map((name) => packFile(folder, name)))
  writeFileSync(join(folder, listName), JSON.stringify(files))
}

async function packFile(folder: string, name: string): Promise<ConsoleFile> {
  const content = readFileSync(join(folder, name))
  const encoded: ConsoleFile['encoded'] = {}
  for (const encoding of isText.test(name) ? (['br', 'gzip'] as const) : []) {
    const { suffix, encode, options } = encoders[encoding]
    const bytes = await encode(content, options)
    if (bytes.length >= content.length) continue
    writeFileSync(join(folder, name + suffix), bytes)
    encoded[encoding] = bytes.length
  }
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 20)
  return { name: name.replaceAll('\\', '/'), bytes: content.length, hash, encoded }
}
