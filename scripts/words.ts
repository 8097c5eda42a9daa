import { Glob } from 'bun'

import budget from './words/budget.json'
import { budgetFaults, loweredBudget, type FoundNames } from './words/budget'
import { faultyNames } from './words/identifiers'

/**
 * A list of phrases that a native English-speaking engineer would not write, held against code, tests, documents and the English
 * texts of the console. CONTRIBUTING, "Language", has the rule; this catches what comes back.
 *
 * The names that the code declares are held against `words/identifiers.ts`. Those of before are counted by folder in `words/budget.json`, which
 * only falls: `--lower` writes what is left, `--exact`, as `check` calls it, fails where less is left than the budget has, `--list` prints them.
 */
interface Phrase {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly instead: string
}

const phrases: readonly Phrase[] = [
  {
    pattern: /(?<!['"`])\b(?:whoever|nobody|somebody)\b(?!['"`:])/i,
    instead: 'name the role: the caller, the client, no one',
  },
  { pattern: /\/\*\* Answers (?!that|whose|with|of)/, instead: '"Returns"' },
  { pattern: /\/\*\* Of /, instead: 'a verb or the noun itself' },
  {
    pattern:
      /(?<![Tt]here )\b(?:is|are|was|were|be|been) no (?!longer|more|one|such|different|doubt|way|need|other)[a-z]/,
    instead: '"is not a …" or "there is no …"',
  },
  { pattern: /(?<!there )\b(?:is|are|was|were|be) none\b/, instead: '"there is none" or "is not one"' },
  { pattern: /\bat the (?:most|least)\b(?! (?:expensive|recent|frequent))/, instead: '"at most", "at least"' },
  { pattern: /\beach \d/, instead: '"every 30 s"' },
  { pattern: /\bin a circle\b/, instead: '"circular"' },
  { pattern: /\bknock(?:s|ed|ing)?\b/i, instead: '"probe"' },
  { pattern: /\bso (?:many|long)\b(?! as)/, instead: 'the number, or "this many"' },
  { pattern: /\bwish(?:es|ed)?\b/i, instead: '"request"' },
  { pattern: /\bsaid of\b|\btold in\b|\bheard of\b/, instead: '"reported", "in"' },
]

/** A title reads alone: subject, verb, outcome. These cannot begin such a sentence. */
const fragment =
  /^\s*(?:(?:test|it)(?:\.\w+)*(?:\([^'"`]*\))?|\](?: as const)?\))\(\s*['"`](?:of|that|with|without|whose|which|where|when|who|in|for|from|by|on|as|to|also|and|but|is|are|has|have|was|were|does|do|can|may)\b/

const places = [
  '{contract,models,dialects,providers,http-client,gateway,console,simulator,bench,e2e,scripts}/**/*.{ts,tsx}',
  '*.md',
  'docs/**/*.md',
  'console/src/locales/en/*.json',
  'gateway/src/platform/locales/*.en.json',
]
const isOther = /node_modules|\/dist\/|\.gen\.ts$|\/fixtures\/|scripts\/words\.ts$/

const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isExact = process.argv.includes('--exact')
const faults: string[] = []
const names: FoundNames = new Map()
for (const place of places) {
  for await (const file of new Glob(place).scan('.')) {
    if (isOther.test(file) || isSkipped(file)) continue
    const text = await Bun.file(file).text()
    if (/\.tsx?$/.test(file)) addNames(file, text)
    for (const [index, line] of text.split('\n').entries()) {
      for (const { pattern, instead } of phrases) {
        const [found] = pattern.exec(line) ?? []
        if (found !== undefined) faults.push(`${file}:${index + 1}: "${found}": write ${instead}`)
      }
      if (fragment.test(line)) faults.push(`${file}:${index + 1}: the title is a fragment: ${line.trim()}`)
    }
  }
}

if (process.argv.includes('--list'))
  console.log([...names.values()].flatMap((found) => [...found.values()].flat()).join('\n'))
if (process.argv.includes('--lower')) {
  const lowered = loweredBudget(budget, names)
  await Bun.write(`${import.meta.dir}/words/budget.json`, `${JSON.stringify(lowered, null, 2)}\n`)
}
faults.push(...budgetFaults(budget, names, { exact: isExact && only.length === 0 }))
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

/** With folders given, only they are read. */
function isSkipped(file: string): boolean {
  return only.length > 0 && !only.some((folder) => file.startsWith(folder))
}

function addNames(file: string, text: string): void {
  const folder = /^(?:(?:gateway|console)\/src\/[\w-]+(?=\/)|[\w-]+)/.exec(file)?.[0] ?? file
  for (const { name, start, kind, instead } of faultyNames(file, text)) {
    const folders = names.get(kind) ?? new Map<string, string[]>()
    names.set(kind, folders.set(folder, folders.get(folder) ?? []))
    const line = text.slice(0, start).split('\n').length
    folders.get(folder)?.push(`${file}:${line}: ${name}: write ${instead}`)
  }
}
