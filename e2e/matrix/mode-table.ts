import { compatibilityFile as file } from './compatibility'

/** A part of the page about compatibility. */
interface TableOptions {
  /** As `# Images`; no other part has it. */
  readonly heading: string
  readonly intro: string
  readonly columns: readonly string[]
}

/** What was tried of one mode with each vendor, as it stands in the documentation. */
export class ModeTable {
  readonly #rows = new Map<string, Map<string, Set<string>>>()

  constructor(private readonly options: TableOptions) {}

  pass(row: string, column: string, mode: string): void {
    const cells = this.#rows.get(row) ?? new Map<string, Set<string>>()
    this.#rows.set(row, cells.set(column, (cells.get(column) ?? new Set()).add(mode)))
  }

  /** Resolves with the part as the page has it; empty where it has none. */
  async readPart(): Promise<string> {
    return this.#cut(await Bun.file(file).text()).part
  }

  /** Takes a row over from a part as it was written, where it has one. */
  passAs(row: string, part: string): void {
    const line = part.split('\n').find((one) => one.startsWith(`| ${row} | `))
    const cells = line?.slice(`| ${row} | `.length, -' |'.length).split(' | ') ?? []
    for (const [index, column] of this.options.columns.entries())
      for (const mode of cells[index]?.match(/\w/g) ?? []) this.pass(row, column, mode)
  }

  /** Writes the part when `UPDATE_DOCS` is set; otherwise checks that each of its rows matches the results. */
  async keep(): Promise<void> {
    const page = await Bun.file(file).text()
    const { before, part, after } = this.#cut(page)
    if (Bun.env['UPDATE_DOCS']) {
      const parts = [before, this.#markdown(), after].map((text) => text.trim()).filter((text) => text !== '')
      await Bun.write(file, `${parts.join('\n\n')}\n`)
      return
    }
    const found = new Set(this.#lines())
    const wrong = part
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| |') && !found.has(line))
    const missing = [...found].filter((line) => !part.includes(line))
    if (wrong.length + missing.length === 0) return
    throw new Error(
      `docs/compatibility.md does not match the results; run this again with UPDATE_DOCS=1: ${[...wrong, ...missing].join()}`,
    )
  }

  /** The page before this part, the part, and what follows it. */
  #cut(page: string) {
    const start = page.indexOf(`\n${this.options.heading}\n`)
    if (start < 0) return { before: page, part: '', after: '' }
    const next = page.indexOf('\n# ', start + 1)
    const end = next < 0 ? page.length : next + 1
    return { before: page.slice(0, start), part: page.slice(start + 1, end), after: page.slice(end) }
  }

  #markdown(): string {
    const { heading, intro, columns } = this.options
    return [
      heading,
      '',
      intro,
      '',
      `| | ${columns.join(' | ')} |`,
      `|---|${columns.map(() => '---').join('|')}|`,
      ...this.#lines(),
      '',
    ].join('\n')
  }

  #lines(): string[] {
    return [...this.#rows].map(([row, cells]) => {
      const texts = this.options.columns.map(
        (column) => [...(cells.get(column) ?? [])].toSorted().toReversed().join(' ') || '–',
      )
      return `| ${row} | ${texts.join(' | ')} |`
    })
  }
}
