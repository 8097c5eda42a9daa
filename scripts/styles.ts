import { Glob } from 'bun'

import { copiesIn } from './pieces'

/**
 * Colours, font sizes, corners and gaps of the console are named once, in `console/src/app/tokens.css`; everything else uses
 * the names. What several pages need is one piece in `components`. Prints each literal value found elsewhere, and each copy of a
 * piece that a feature makes for itself.
 */
const source = 'console/src'
/** Where literal values belong: the tokens, and the palettes that the component kit takes as arrays. */
const exempt: ReadonlySet<string> = new Set(['app/tokens.css', 'app/theme.ts'])

const rules: readonly { readonly pattern: RegExp; readonly advice: string }[] = [
  { pattern: /(?<![\w&/])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b/gi, advice: 'use a colour token' },
  { pattern: /\bfont-size:[^;]*\dpx|\bfontSize: ?'?\d|\bfz="\d/g, advice: 'use --text-*' },
  { pattern: /\bborder-radius:[^;]*\dpx/g, advice: 'use --radius-*' },
  { pattern: /(?<![\w-])(?:row-|column-)?gap:[^;]*\dpx/g, advice: 'use --gap-*' },
]

const faults: string[] = []
for await (const file of new Glob('**/*.{css,ts,tsx}').scan(source)) {
  if (exempt.has(file) || file.includes('.test.')) continue
  const text = await Bun.file(`${source}/${file}`).text()
  if (file.startsWith('features/')) faults.push(...copiesIn(`${source}/${file}`, text))
  for (const { pattern, advice } of rules) {
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split('\n').length
      faults.push(`${source}/${file}:${line}: ${match[0]} (${advice})`)
    }
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
