import { partsOf } from './json-text'

/**
 * The models of a channel. Kept as the stored text and split only when the names are needed: looking for one model is a search in the
 * text, so that a snapshot of very many channels costs nothing to build.
 */
export class ModelList {
  readonly #text: string
  #names: readonly string[] | undefined

  constructor(text: string) {
    this.#text = /\s|,,/.test(text) ? `,${partsOf(text).join(',')},` : `,${text},`
  }

  get names(): readonly string[] {
    return (this.#names ??= partsOf(this.#text))
  }

  has(model: string): boolean {
    return model !== '' && !model.includes(',') && this.#text.includes(`,${model},`)
  }
}
