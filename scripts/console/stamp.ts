import { readFileSync } from 'node:fs'

import { Glob } from 'bun'

/** All that a built console depends on; what is generated and what only tests read is not. */
const sources = new Glob('{console,contract/src,scripts/console}/**/*')
const isOther = /\/(node_modules|dist|test)\/|\.test\.tsx?$|\.gen\.ts$/
const alone = ['bun.lock', 'scripts/build-console.ts']

/** A text that is another one as soon as any source of the console is. */
export async function sourceStamp(root: string): Promise<string> {
  const names = [...alone, ...(await Array.fromAsync(sources.scan({ cwd: root })))]
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of names.filter((name) => !isOther.test(name)).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(`${root}/${name}`))
      .update('\0')
  }
  return hash.digest('hex')
}
