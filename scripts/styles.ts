import { Glob } from 'bun'

import { copiesIn } from './pieces'

/**
 * Colours, font sizes, corners and gaps of the console are named once, in `console/src/app/tokens.css`; everything else uses
 * the names. What several pages need is one piece in `components`. Prints each literal value found elsewhere, and each copy of a
 * piece that a feature makes for itself.
 */
const source = 'console/src'
/** Where literal values belong: the tokens, and the palettes that the component kit takes as arrays. */
const palettes: ReadonlySet<string> = new Set(['app/tokens.css', 'app/theme.ts'])

/** What shows that something is in progress, and goes away with it. */
const indicators: ReadonlySet<string> = new Set([
  'app/shell/progress-bar.module.css',
  'components/data-table/data-table.module.css',
  'features/tasks/tasks.module.css',
])

interface Rule {
  readonly pattern: RegExp
  readonly advice: string
  /** Files that the rule leaves out. */
  readonly exempt?: ReadonlySet<string>
}

const rules: readonly Rule[] = [
  { pattern: /(?<![\w&/])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b/gi, advice: 'use a colour token' },
  { pattern: /\bfont-size:[^;]*\dpx|\bfontSize: ?'?\d|\bfz="\d/g, advice: 'use --text-*' },
  { pattern: /\bborder-radius:[^;]*\dpx/g, advice: 'use --radius-*' },
  { pattern: /(?<![\w-])(?:row-|column-)?gap:[^;]*\dpx/g, advice: 'use --gap-*' },
  {
    pattern: /\binfinite\b/g,
    advice: 'motion ends by itself, within five seconds; only indicators of progress repeat',
    exempt: indicators,
  },
]

const faults: string[] = []
for await (const file of new Glob('**/*.{css,ts,tsx}').scan(source)) {
  if (palettes.has(file) || file.includes('.test.')) continue
  const text = await Bun.file(`${source}/${file}`).text()
  if (file.startsWith('features/')) faults.push(...copiesIn(`${source}/${file}`, text))
  for (const { pattern, advice, exempt } of rules) {
    if (exempt?.has(file)) continue
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
