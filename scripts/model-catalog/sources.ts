import { isEmbeddingName, type Ability, type Modality, type ModelKind } from '@tollgate/models'

/** What one source says of a model at one host. */
export interface Listing {
  /** The host as the source calls it. */
  readonly host: string
  readonly name: string
  readonly kind: ModelKind
  readonly contextTokens: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly input: readonly Modality[]
  readonly output: readonly Modality[]
  readonly abilities: readonly Ability[]
  /** As `2026-07-24`. */
  readonly releasedOn: string | null
  /** The day on which the host stops serving it. */
  readonly retiresOn: string | null
  /** The source knows when hosts stop serving models. */
  readonly knowsEnd: boolean
  readonly isDeprecated: boolean
}

type Members = Readonly<Record<string, unknown>>

const kinds: Readonly<Record<string, ModelKind>> = {
  chat: 'chat',
  responses: 'chat',
  completion: 'completion',
  embedding: 'embedding',
  image_generation: 'image',
  image_edit: 'image',
  audio_transcription: 'transcription',
  audio_speech: 'speech',
  rerank: 'rerank',
  moderation: 'moderation',
  video_generation: 'video',
  realtime: 'realtime',
}

/** The kinds whose limits count tokens of text that a model writes. */
const writing: ReadonlySet<ModelKind> = new Set(['chat', 'completion', 'realtime'])

/** Reads LiteLLM's price map. @throws TypeError when it has not that shape. */
export function readLiteLlm(document: unknown): Listing[] {
  const models = membersOf(membersOf(document)['models'] ?? document)
  return Object.entries(models).flatMap(([name, value]) => {
    const model = membersOf(value)
    if (typeof model['litellm_provider'] !== 'string') return []
    const kind = kinds[String(model['mode'])] ?? 'other'
    const is = (ability: string) => model[`supports_${ability}`] === true
    const input = new Set<Modality>(textual.has(kind) ? ['text'] : [])
    for (const modality of namesIn(model['supported_modalities'])) input.add(modality)
    if (is('vision') || is('image_input')) input.add('image')
    if (is('pdf_input')) input.add('pdf')
    if (is('audio_input')) input.add('audio')
    if (is('video_input')) input.add('video')
    const output = new Set<Modality>(namesIn(model['supported_output_modalities']))
    if (writing.has(kind)) output.add('text')
    if (is('audio_output')) output.add('audio')
    return {
      host: model['litellm_provider'],
      name,
      kind,
      contextTokens: null,
      inputTokens: tokens(model['max_input_tokens']),
      outputTokens: writing.has(kind) ? tokens(model['max_output_tokens']) : null,
      input: [...input],
      output: [...output],
      abilities: able({
        tools: is('function_calling'),
        reasoning: is('reasoning'),
        'structured-output': is('response_schema'),
        'prompt-caching': is('prompt_caching'),
        'web-search': is('web_search'),
      }),
      releasedOn: null,
      retiresOn: dayIn(model['deprecation_date']),
      knowsEnd: true,
      isDeprecated: false,
    }
  })
}

const textual: ReadonlySet<ModelKind> = new Set([...writing, 'embedding', 'rerank', 'moderation', 'speech', 'image'])

/** Reads the models of models.dev. @throws TypeError when they have not that shape. */
export function readModelsDev(document: unknown): Listing[] {
  const hosts = membersOf(membersOf(document)['providers'] ?? document)
  return Object.entries(hosts).flatMap(([host, value]) =>
    Object.entries(membersOf(membersOf(value)['models'] ?? value)).map(([name, about]) =>
      modelsDevListing(host, name, membersOf(about)),
    ),
  )
}

function modelsDevListing(host: string, name: string, model: Members): Listing {
  const limit = membersOf(model['limit'])
  const { input, output } = membersOf(model['modalities'])
  const kind = kindByOutput(name, namesIn(output))
  return {
    host,
    name,
    kind,
    contextTokens: tokens(limit['context']),
    inputTokens: tokens(limit['input']),
    // Of an embedding it is the length of the vector.
    outputTokens: writing.has(kind) ? tokens(limit['output']) : null,
    input: namesIn(input),
    output: namesIn(output),
    abilities: able({
      tools: model['tool_call'] === true,
      reasoning: model['reasoning'] === true,
      'structured-output': model['structured_output'] === true,
      'prompt-caching': membersOf(model['cost'])['cache_read'] !== undefined,
      'web-search': false,
    }),
    releasedOn: dayIn(model['release_date']),
    retiresOn: null,
    knowsEnd: false,
    isDeprecated: model['status'] === 'deprecated',
  }
}

/** The source does not tell what a model is made for. */
function kindByOutput(name: string, output: readonly Modality[]): ModelKind {
  if (isEmbeddingName(name)) return 'embedding'
  if (/rerank/i.test(name)) return 'rerank'
  if (output.length === 0 || output.includes('text')) return 'chat'
  if (output.includes('image')) return 'image'
  if (output.includes('video')) return 'video'
  return output.includes('audio') ? 'speech' : 'other'
}

function membersOf(value: unknown): Members {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('Expected an object')
  return value as Members
}

/** Some models have only a month. */
const dayIn = (value: unknown): string | null =>
  typeof value === 'string' && /^20\d\d-\d\d(?:-\d\d)?$/.test(value) ? value.padEnd(10, '-01') : null

const known: Readonly<Record<string, Modality>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  video: 'video',
  pdf: 'pdf',
}

const namesIn = (value: unknown): Modality[] =>
  Array.isArray(value) ? value.flatMap((name) => known[String(name)] ?? []) : []

const able = (has: Readonly<Record<Ability, boolean>>): Ability[] =>
  (Object.keys(has) as Ability[]).filter((ability) => has[ability])

/** Larger than any window there is: a misprint. */
const maxWindow = 16_000_000

/** Zero is how both sources say that they do not know. */
const tokens = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < maxWindow ? value : null
