import { readFileSync } from 'node:fs'

import { Glob } from 'bun'

/** All that a built console depends on. */
const sources = [
  'console/*',
  'console/{public,src}/**/*',
  'contract/package.json',
  'contract/src/**/*',
  'scripts/build-console.ts',
  'scripts/console/*',
  'bun.lock',
].map((pattern) => new Glob(pattern))

/** What is generated, and what only tests read. */
const isOther = /\.test\.tsx?$|\.gen\.ts$|^console\/bunfig\.toml$/

/** A text that is another one as soon as any source of the console is. */
export async function sourceStamp(root: string): Promise<string> {
  const found = await Promise.all(sources.map((source) => Array.fromAsync(source.scan({ cwd: root }))))
  const names = found.flat().filter((name) => !isOther.test(name))
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(`${root}/${name}`))
      .update('\0')
  return hash.digest('hex')
}
