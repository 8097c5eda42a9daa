import { contentStamp } from '../content-stamp'

/** All that a built console depends on. */
const sources = [
  'console/*',
  'console/vite/*',
  'console/{public,src}/**/*',
  'contract/package.json',
  'contract/src/**/*',
  'scripts/build-console.ts',
  'scripts/console/*',
  'scripts/content-stamp.ts',
  'bun.lock',
]

/** What is generated, and what only tests read. */
const isOther = /\.test\.tsx?$|\.gen\.ts$|^console\/bunfig\.toml$/

/** A text that is another one as soon as any source of the console is. */
export const sourceStamp = (root: string): Promise<string> => contentStamp(root, { sources, isOther })
