import { readFileSync } from 'node:fs'

import { Glob } from 'bun'

export interface StampOptions {
  /** Patterns of what counts. */
  readonly sources: readonly string[]
  /** What does not, although a pattern takes it. */
  readonly isOther: RegExp
}

/** A text that is another one as soon as any of these files below the folder is. */
export async function contentStamp(root: string, { sources, isOther }: StampOptions): Promise<string> {
  const found = await Promise.all(sources.map((source) => Array.fromAsync(new Glob(source).scan({ cwd: root }))))
  const names = found.flat().filter((name) => !isOther.test(name))
  const hash = new Bun.CryptoHasher('sha256')
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(`${root}/${name}`))
      .update('\0')
  return hash.digest('hex')
}
