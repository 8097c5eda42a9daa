import { join } from 'node:path'

export const compatibilityFile = join(import.meta.dir, '../../docs/compatibility.md')

/** Where the part of the page begins that the tests of vendors write. */
export const vendorHeading = '# Vendors with a wire format of their own'

/** The table of tested combinations in the documentation. */
export class Compatibility {
  readonly #cells = new Map<string, { passed: Set<string>; note: string }>()

  constructor(
    private readonly clients: readonly string[],
    private readonly upstreams: readonly string[],
    private readonly scenarios: readonly string[],
  ) {}

  pass(scenario: string, client: string, upstream: string, isStream: boolean): void {
    this.#cell(scenario, client, upstream).passed.add(isStream ? 'stream' : 'whole')
  }

  /** Marks a combination that does not exist, with the reason. */
  note(scenario: string, client: string, upstream: string, why: string): void {
    this.#cell(scenario, client, upstream).note = why
  }

  /** Writes the documentation when `UPDATE_DOCS` is set; otherwise checks that it matches the results. */
  async keep(): Promise<void> {
    const found = this.markdown()
    const page = await Bun.file(compatibilityFile).text()
    const start = page.indexOf(`\n${vendorHeading}`)
    const [own, vendors] = start < 0 ? [page, ''] : [page.slice(0, start), page.slice(start)]
    if (Bun.env['UPDATE_DOCS']) await Bun.write(compatibilityFile, found + vendors)
    else if (own !== found) {
      throw new Error(
        'docs/compatibility.md does not say what was found; run the tests of e2e/matrix with UPDATE_DOCS=1',
      )
    }
  }

  markdown(): string {
    const columns = this.clients.flatMap((client) => this.upstreams.map((upstream) => ({ client, upstream })))
    const notes: string[] = []
    const rows = this.scenarios.map((scenario) => {
      const cells = columns.map(({ client, upstream }) => this.#text(this.#cell(scenario, client, upstream), notes))
      return { scenario, cells }
    })
    const tables = this.clients.map((client, index) => {
      const from = index * this.upstreams.length
      return [
        `## A client that speaks ${client}`,
        '',
        `| | ${this.upstreams.join(' | ')} |`,
        `|---|${this.upstreams.map(() => '---').join('|')}|`,
        ...rows.map(
          ({ scenario, cells }) => `| ${scenario} | ${cells.slice(from, from + this.upstreams.length).join(' | ')} |`,
        ),
        '',
      ].join('\n')
    })
    return [
      '# Which dialect reaches which',
      '',
      'Every cell was tried through a running gateway with the official SDK of the client’s dialect against an upstream of',
      'the other: as a whole answer (w) and as a stream (s). In every cell with an answer the charge was the published formula’s, to the unit.',
      'The tests in `e2e/matrix` write this page.',
      '',
      ...tables,
      ...(notes.length > 0
        ? ['## Cells that are not full', '', ...notes.map((note, at) => `${at + 1}. ${note}`), '']
        : []),
    ].join('\n')
  }

  #text({ passed, note }: { passed: Set<string>; note: string }, notes: string[]): string {
    const modes = [...(passed.has('whole') ? ['w'] : []), ...(passed.has('stream') ? ['s'] : [])].join(' ')
    if (note === '') return modes || '✗'
    if (!notes.includes(note)) notes.push(note)
    return `${modes || '–'} [${notes.indexOf(note) + 1}]`
  }

  #cell(scenario: string, client: string, upstream: string) {
    const key = `${scenario}|${client}|${upstream}`
    const cell = this.#cells.get(key) ?? { passed: new Set<string>(), note: '' }
    this.#cells.set(key, cell)
    return cell
  }
}
