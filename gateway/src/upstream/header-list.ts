/** None of them may stand in a field (RFC 9110, section 5.5), and whoever writes one into an answer of ours would fail. */
// oxlint-disable-next-line no-control-regex
const control = /[\x00-\x08\x0a-\x1f\x7f]/
const controls = new RegExp(control, 'g')

/** The header fields of an answer. Control characters in values are spaces. Names are compared without case; the values of one name stand in one line, with commas. */
export class HeaderList {
  readonly #values = new Map<string, string>()

  add(name: string, value: string): void {
    const key = name.toLowerCase()
    const known = this.#values.get(key)
    const clean = control.test(value) ? value.replaceAll(controls, ' ') : value
    this.#values.set(key, known === undefined ? clean : `${known}, ${clean}`)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }
}
