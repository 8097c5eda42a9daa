import { catalogText } from './catalog.gen'
import { modelKeys } from './model-names'
import { namedLines, remembering } from './named-lines'

const linesByName = namedLines(catalogText)

/**
 * Returns what is known of a model under any of its names: with a host's path, prefix or variant, with or without the
 * date of a snapshot. Null when the catalog does not know it.
 */
export const modelOf: (name: string) => ModelEntry | null = remembering((name) => {
  for (const key of modelKeys(name)) {
    const line = linesByName().get(key)
    if (line !== undefined) return readEntry(line)
  }
  return null
})

/** Returns how many tokens a model takes and gives; null when the catalog does not know it. */
export const limitsOf = (name: string): ModelLimits | null => modelOf(name)

/** Returns the names of all models in the catalog. */
export const catalogedModels = (): readonly string[] => [...linesByName().keys()]

/** What a model is made for. */
export const modelKinds = {
  c: 'chat',
  t: 'completion',
  e: 'embedding',
  i: 'image',
  s: 'speech',
  a: 'transcription',
  r: 'rerank',
  m: 'moderation',
  v: 'video',
  l: 'realtime',
  o: 'other',
} as const
export type ModelKind = (typeof modelKinds)[keyof typeof modelKinds]

export const modalities = { t: 'text', i: 'image', a: 'audio', v: 'video', p: 'pdf' } as const
export type Modality = (typeof modalities)[keyof typeof modalities]

export const abilities = {
  t: 'tools',
  r: 'reasoning',
  s: 'structured-output',
  c: 'prompt-caching',
  w: 'web-search',
} as const
export type Ability = (typeof abilities)[keyof typeof abilities]

/** How many tokens a model takes and gives. Null: not known. */
export interface ModelLimits {
  /** The whole window: prompt and output together. */
  readonly contextTokens: number | null
  /** The longest prompt, where it is less than the window. */
  readonly inputTokens: number | null
  /** The longest output of one answer, reasoning included. */
  readonly outputTokens: number | null
}

/** What is publicly known about a model, regardless of its host. */
export interface ModelEntry extends ModelLimits {
  /** The catalog's own: in lower case, without a host's prefix. */
  readonly name: string
  readonly kind: ModelKind
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
  readonly abilities: readonly Ability[]
}

const absent = '-'

/** Returns an entry as one line: name, kind, context, input, output, modalities in and out, abilities. */
export function writeEntry(entry: ModelEntry): string {
  const { name, kind, contextTokens, inputTokens, outputTokens } = entry
  const limits = [contextTokens, inputTokens, outputTokens].map((tokens) => tokens ?? absent)
  const sets = [
    letters(modalities, entry.input),
    letters(modalities, entry.output),
    letters(abilities, entry.abilities),
  ].map((set) => set || absent)
  return [name, letters(modelKinds, [kind]), ...limits, ...sets].join(' ')
}

/** Reads what `writeEntry` wrote. */
export function readEntry(line: string): ModelEntry {
  const [name = '', kind = '', context, input, output, into = '', out = '', able = ''] = line.split(' ')
  return {
    name,
    kind: decodeLetters(modelKinds, kind)[0] ?? 'other',
    contextTokens: tokensIn(context),
    inputTokens: tokensIn(input),
    outputTokens: tokensIn(output),
    input: decodeLetters(modalities, into),
    output: decodeLetters(modalities, out),
    abilities: decodeLetters(abilities, able),
  }
}

const tokensIn = (text: string | undefined): number | null => {
  const tokens = Number(text)
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}

const letters = <Name extends string>(names: Readonly<Record<string, Name>>, chosen: readonly Name[]): string =>
  Object.entries(names)
    .flatMap(([letter, name]) => (chosen.includes(name) ? [letter] : []))
    .join('')

const decodeLetters = <Name extends string>(names: Readonly<Record<string, Name>>, chosen: string): Name[] =>
  Object.entries(names).flatMap(([letter, name]) => (chosen.includes(letter) ? [name] : []))
