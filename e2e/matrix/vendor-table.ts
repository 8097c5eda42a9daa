import { compatibilityFile as file, vendorHeading as heading } from './compatibility'

/** What was tried of vendors whose wire no client speaks, as it stands in the documentation. */
export class VendorTable {
  readonly #rows = new Map<string, Map<string, Set<string>>>()

  constructor(private readonly clients: readonly string[]) {}

  pass(row: string, client: string, way: string): void {
    const cells = this.#rows.get(row) ?? new Map<string, Set<string>>()
    this.#rows.set(row, cells.set(client, (cells.get(client) ?? new Set()).add(way)))
  }

  /** Writes the part anew when `UPDATE_DOCS` is set. Else every row of it must be what was found. */
  async keep(): Promise<void> {
    const page = await Bun.file(file).text()
    const start = page.indexOf(heading)
    const [before, part] = start < 0 ? [`${page}\n`, ''] : [page.slice(0, start), page.slice(start)]
    if (Bun.env['UPDATE_DOCS']) return void (await Bun.write(file, before + this.#markdown()))
    const found = new Set(this.#lines())
    const wrong = part
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| |') && !found.has(line))
    if (wrong.length === 0) return
    throw new Error(
      `docs/compatibility.md says what was not found; run the tests of e2e/matrix with UPDATE_DOCS=1: ${wrong.join()}`,
    )
  }

  #markdown(): string {
    return [
      heading,
      '',
      'The same for vendors whose wire format no client speaks: text from every dialect, vectors from the SDKs of OpenAI and Google.',
      '',
      `| | ${this.clients.join(' | ')} |`,
      `|---|${this.clients.map(() => '---').join('|')}|`,
      ...this.#lines(),
      '',
    ].join('\n')
  }

  #lines(): string[] {
    return [...this.#rows].map(([row, cells]) => {
      const texts = this.clients.map(
        (client) => [...(cells.get(client) ?? [])].toSorted().toReversed().join(' ') || '–',
      )
      return `| ${row} | ${texts.join(' | ')} |`
    })
  }
}
