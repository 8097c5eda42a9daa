import { Glob } from 'bun'

import { isObject } from '../../dialects/src/index'
import { providers } from '../../providers/src/index'
import { provenanceOf, type Provenance } from './provenance'

const folder = 'providers/src/vendors/fixtures'

/** The table of all fixtures, and what is wrong with them. */
export interface RecordingsTable {
  readonly markdown: string
  readonly faults: readonly string[]
}

/** Returns the table of where each response in a fixture comes from. */
export async function recordingsTable(root: string): Promise<RecordingsTable> {
  const files = [...new Glob('**/*.json').scanSync(`${root}/${folder}`)].sort((one, other) => (one < other ? -1 : 1))
  const read = await Promise.all(
    files.map(async (file) => {
      const fixture: unknown = await Bun.file(`${root}/${folder}/${file}`).json()
      return { file, ...provenanceOf(isObject(fixture) ? fixture : {}) }
    }),
  )
  const all = read.flatMap(({ parts }) => parts)
  const count = (kind: Provenance['kind']) => all.filter((part) => part.kind === kind).length
  const rows = read.map(({ file, parts }) => {
    const cells = (['recorded', 'documented', 'invented'] as const).map((kind) => cellOf(parts, kind))
    return `| \`${file}\` | ${[...cells, cell(silentModes(file, parts))].join(' | ')} |`
  })
  return {
    markdown: [
      `${all.length} responses in ${files.length} fixtures: ${count('recorded')} recorded, ${count('documented')} documented, ${count('invented')} invented.`,
      '',
      '| fixture | recorded | documented by the vendor | invented | served, without a response here |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    faults: read.flatMap(({ file, faults }) => faults.map((fault) => `${folder}/${file}: ${fault}`)),
  }
}

/** What a vendor serves and its fixture shows no response of. */
function silentModes(file: string, parts: readonly Provenance[]): string[] {
  const provider = providers.find(({ id }) => `${id}.json` === file)
  const shown = new Set(parts.map(({ part }) => part.split(' ')[0]))
  return Object.keys(provider?.modes ?? {}).filter((mode) => !shown.has(mode))
}

const cell = (parts: readonly string[]): string => (parts.length === 0 ? '–' : parts.join(', '))

function cellOf(parts: readonly Provenance[], kind: Provenance['kind']): string {
  const texts = parts.filter((part) => part.kind === kind).map(textOf)
  return cell([...new Set(texts)])
}

function textOf({ part, on, pages }: Provenance): string {
  if (on !== undefined) return `${part} (${on})`
  const [first, ...others] = pages.map((page) =>
    encodeURI(decodeURI(page)).replaceAll('(', '%28').replaceAll(')', '%29'),
  )
  if (first === undefined) return part
  return [`[${part}](${first})`, ...others.map((page, at) => `[${at + 2}](${page})`)].join(' ')
}

const marks = { begin: '<!-- fixtures: written by scripts/recordings.ts -->', end: '<!-- end of fixtures -->' }

/** Returns the page with this table in place of the one that it has. @throws Error when the page has no place for it. */
export function withTable(page: string, table: string): string {
  const [begin, end] = [page.indexOf(marks.begin), page.indexOf(marks.end)]
  if (begin < 0 || end < begin) throw new Error('docs/recordings.md has no place for the table')
  return `${page.slice(0, begin + marks.begin.length)}\n\n${table}\n\n${page.slice(end)}`
}
