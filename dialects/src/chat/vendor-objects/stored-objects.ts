import { isObject, type JsonObject } from '../../core/json'
import { isVendorTool } from '../../core/shared/prompt-references'
import { ciphersIn, sealId, sealsInId, sealsInSignature } from './sealed-thoughts'

/** A request names something by an id that only the account knows which made it. */
export interface ObjectName {
  readonly id: string
  /** The member that names it, as `tools.container`. */
  readonly place: string
  /** What the request means is in the request as well: the name matters only where it is another user's. */
  readonly isRedundant: boolean
  /** Not an id but a text that only the account can read, as encrypted reasoning. The latest of a request stands for all of them. */
  readonly isSealed: boolean
}

/** `[]` goes through a list, `*` through all members. */
type Path = string
type Condition = (parent: JsonObject) => boolean

interface Place {
  readonly path: Path
  /** Holds for the object that has the last member. */
  readonly when?: Condition
  readonly isRedundant?: boolean
  readonly isSealed?: boolean
  /** Returns the id in the text; null: it names nothing in the account. */
  readonly idIn?: (text: string) => readonly string[]
}

const noIds: readonly string[] = []

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Items may be named without a type. https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
const isReference: Condition = ({ type, role }) => type === 'item_reference' || (isEmpty(type) && isEmpty(role))
const isReasoning: Condition = ({ type, encrypted_content }) => type === 'reasoning' && isEmpty(encrypted_content)
const isDrawing: Condition = ({ type, result }) => type === 'image_generation_call' && isEmpty(result)

/** Addresses of files that only an account can read; any other address is open to all. */
const privateFile = /^(?:gs:|s3:|files\/)/i
const privateHost = 'generativelanguage.googleapis.com'
/** A host stands at the beginning; a picture in the address is megabytes. */
const maxHostLength = 1024

/** Returns the address where only the vendor's account can read what is there. */
export const privateFiles = (uri: string): readonly string[] =>
  privateFile.test(uri) || uri.slice(0, maxHostLength).toLowerCase().includes(privateHost) ? [uri] : noIds

/** Qwen reads files that a message names: `fileid://file-1,fileid://file-2`. https://help.aliyun.com/zh/model-studio/long-context-qwen-long */
const namedInText = /fileid:\/\/([\w-]+)/g
const filesInText = (text: string): readonly string[] =>
  text.startsWith('fileid://') ? [...text.matchAll(namedInText)].map(([, id = '']) => id) : noIds

/** Moonshot keeps pictures and films that a message names: `ms://file-1`. https://platform.moonshot.ai/docs/guide/use-kimi-vision-model */
const moonshotScheme = 'ms://'
const privateAddresses = (url: string): readonly string[] =>
  url.startsWith(moonshotScheme) ? [url.slice(moonshotScheme.length)] : privateFiles(url)

/** Blocks of Messages with a source: alone, in the result of a tool, and in a document that is made of blocks. */
const sourceHolders = ['messages[].content[]', 'messages[].content[].content[]'].flatMap((holder) => [
  holder,
  `${holder}.source.content[]`,
])

/** Where dialects have the address of a picture, a film, a sound or a file. In translation it may become one that the account reads. */
const addressPlaces = [
  ...[
    'image_url',
    'image_url.url',
    'video_url',
    'video_url.url',
    'audio_url',
    'audio_url.url',
    'file.file_data',
    'file_data',
    'file_url',
  ].map((name) => `messages[].content[].${name}`),
  ...sourceHolders.map((holder) => `${holder}.source.url`),
  ...['content[]', 'output[]', 'output'].flatMap((holder) =>
    ['image_url', 'image_url.url', 'file_url', 'video_url'].map((name) => `input[].${holder}.${name}`),
  ),
  'images[]',
  'images[].image_url',
  'image[]',
  'mask',
  'mask.image_url',
  'document.document_url',
  'document.image_url',
  'document.image_url.url',
]

/** Google's predictions read pictures and films, and write results, in buckets of the project. */
const bucketNames = [
  'instances[].image',
  'instances[].video',
  'instances[].mask',
  'instances[].lastFrame',
  'instances[].referenceImages[].referenceImage',
  'instances[].referenceImages[].image',
].flatMap((holder) => [`${holder}.gcsUri`, `${holder}.gcs_uri`])

/** Azure reads an index in the name of the account. https://learn.microsoft.com/azure/ai-foundry/openai/references/azure-search */
const readsAsAccount: Condition = ({ authentication }) =>
  !isObject(authentication) || String(authentication['type']).endsWith('managed_identity')

/** Data stores, corpora and secrets of a project. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Tool */
const projectNames: readonly (readonly string[])[] = [
  ['vertexAiSearch', 'datastore'],
  ['vertexAiSearch', 'engine'],
  ['vertexRagStore', 'ragCorpora[]'],
  ['vertexRagStore', 'ragResources[]', 'ragCorpus'],
  ['externalApi', 'apiAuth', 'apiKeyConfig', 'apiKeySecretVersion'],
]
const inSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Where requests, of any dialect, name what lies in the vendor's account. An upstream of another vendor may know a member as well, so they
 * are one list.
 */
const places: readonly Place[] = [
  // Responses
  { path: 'previous_response_id' },
  { path: 'conversation' },
  { path: 'conversation.id' },
  { path: 'prompt.id' },
  { path: 'prompt.variables.*.file_id' },
  { path: 'input[].id', when: isReference },
  { path: 'input[].id', when: isDrawing },
  { path: 'input[].id', when: isReasoning, isRedundant: true },
  { path: 'input[].encrypted_content', isRedundant: true, isSealed: true },
  { path: 'input[].call_id', isSealed: true, idIn: sealsInId },
  { path: 'input[].container_id', isRedundant: true },
  { path: 'input[].approval_request_id', isRedundant: true },
  { path: 'input[].content[].file_id' },
  { path: 'input[].output[].file_id' },
  { path: 'input[].output.file_id' },
  { path: 'tools[].vector_store_ids[]' },
  { path: 'tools[].container' },
  { path: 'tools[].container.file_ids[]' },
  { path: 'tools[].container.skills[].skill_id' },
  { path: 'tools[].environment.container_id' },
  { path: 'tools[].environment.file_ids[]' },
  { path: 'tools[].environment.skills[].skill_id' },
  { path: 'tools[].input_image_mask.file_id' },
  // Chat Completions and those who follow them
  { path: 'messages[].content[].file_id' },
  { path: 'messages[].content[].file.file_id' },
  { path: 'messages[].content', idIn: filesInText },
  { path: 'messages[].content[].text', idIn: filesInText },
  ...addressPlaces.map((path) => ({ path, idIn: privateAddresses })),
  { path: 'data_sources[].parameters.index_name', when: readsAsAccount },
  { path: 'messages[].audio.id' },
  { path: 'messages[].tool_calls[].id', isSealed: true, idIn: sealsInId },
  { path: 'messages[].tool_calls[].extra_content.google.thought_signature', isSealed: true },
  { path: 'messages[].reasoning_details[].signature', isSealed: true, idIn: ciphersIn },
  { path: 'messages[].reasoning_details[].data', isSealed: true, idIn: ciphersIn },
  { path: 'context_id' },
  { path: 'tools[].retrieval.knowledge_id' },
  { path: 'tools[].library_ids[]' },
  { path: 'tools[].collection_ids[]' },
  // Messages
  { path: 'container' },
  { path: 'container.id' },
  { path: 'container.skills[].skill_id', when: ({ type }) => type !== 'anthropic' },
  { path: 'messages[].content[].id', when: ({ type }) => type === 'tool_use', isSealed: true, idIn: sealsInId },
  { path: 'messages[].content[].signature', isSealed: true, idIn: ciphersIn },
  { path: 'messages[].content[].data', isSealed: true, idIn: ciphersIn },
  ...sourceHolders.map((holder) => ({ path: `${holder}.source.file_id` })),
  // Gemini
  { path: 'contents[].parts[].thoughtSignature', isSealed: true, idIn: sealsInSignature },
  { path: 'contents[].parts[].thought_signature', isSealed: true, idIn: sealsInSignature },
  { path: 'cachedContent' },
  { path: 'cached_content' },
  ...['fileData', 'file_data'].flatMap((data) =>
    ['fileUri', 'file_uri'].flatMap((uri) =>
      [
        'contents[].parts[]',
        'content.parts[]',
        'requests[].content.parts[]',
        'systemInstruction.parts[]',
        'system_instruction.parts[]',
        'contents[].parts[].functionResponse.parts[]',
        'contents[].parts[].function_response.parts[]',
      ].map((holder) => ({ path: `${holder}.${data}.${uri}`, idIn: privateFiles })),
    ),
  ),
  ...projectNames.flatMap((names) =>
    [names, names.map(inSnakeCase)].map((spelled) => ({ path: `tools[].retrieval.${spelled.join('.')}` })),
  ),
  ...['fileSearch', 'file_search'].flatMap((tool) =>
    ['fileSearchStoreNames', 'file_search_store_names'].map((names) => ({ path: `tools[].${tool}.${names}[]` })),
  ),
  ...[...bucketNames, 'parameters.storageUri', 'parameters.storage_uri'].map((path) => ({ path })),
  // Images
  { path: 'images[].file_id' },
  { path: 'mask.file_id' },
  // Documents to be read
  { path: 'document.file_id' },
]

/** The places below one member, so that a request is walked once and only where it may name something. Each call is walked. */
interface Step {
  /** Members to look at, and the steps to take there. */
  readonly names: string[]
  readonly steps: Step[]
  /** For members of any name. */
  any: Step | null
  each: Step | null
  /** Returns which objects of a list are worth a look. Null: all. */
  isWorthLook: ((value: unknown) => boolean) | null
  readonly ends: Place[]
}

const newStep = (): Step => ({ names: [], steps: [], any: null, each: null, isWorthLook: null, ends: [] })

function stepsOf(all: readonly Place[]): Step {
  const root = newStep()
  for (const place of all) {
    let step = root
    for (const part of place.path.split('.')) {
      const isList = part.endsWith('[]')
      step = enterStep(step, isList ? part.slice(0, -2) : part)
      if (isList) step = step.each ??= newStep()
    }
    step.ends.push(place)
  }
  return root
}

function enterStep(step: Step, name: string): Step {
  if (name === '*') return (step.any ??= newStep())
  const known = step.steps[step.names.indexOf(name)]
  if (known) return known
  const next = newStep()
  step.names.push(name)
  step.steps.push(next)
  return next
}

const root = stepsOf(places)
// Requests of agents have many tools, nearly all of which the client runs.
enterStep(root, 'tools').isWorthLook = isVendorTool

const words: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])
const mayNameFile = (part: unknown): boolean =>
  !isObject(part) ||
  !words.has(part['type']) ||
  (typeof part['text'] === 'string' && part['text'].startsWith('fileid://'))
// Nearly all parts of messages are words.
for (const list of ['messages', 'input'])
  enterStep((enterStep(root, list).each ??= newStep()), 'content').isWorthLook = mayNameFile

/** Returns what to put in place of a text. */
type Found = (text: string, place: Place, parent: JsonObject | null) => string

/** Calls `found` with every text at one of the places. Returns the value, or a copy with what `found` returned. */
function walk(value: unknown, step: Step, parent: JsonObject | null, found: Found): unknown {
  if (Array.isArray(value)) return step.each ? walkList(value, step, step.each, found) : value
  const own = walkOne(value, step, parent, found)
  // Google's APIs take an element in place of its list.
  return step.each && step.isWorthLook?.(value) !== false ? walk(own, step.each, null, found) : own
}

function walkOne(value: unknown, step: Step, parent: JsonObject | null, found: Found): unknown {
  if (typeof value === 'string') return step.ends.length === 0 ? value : walkText(value, step, parent, found)
  if (typeof value !== 'object' || value === null) return value
  return step.names.length > 0 || step.any ? walkObject(value as JsonObject, step, found) : value
}

function walkText(value: string, { ends }: Step, parent: JsonObject | null, found: Found): string {
  let text = value
  for (let index = 0; index < ends.length && text !== ''; index += 1) {
    const place = ends[index]
    if (place) text = found(text, place, parent)
  }
  return text
}

function walkList(list: readonly unknown[], { isWorthLook }: Step, each: Step, found: Found): readonly unknown[] {
  let changed: unknown[] | null = null
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index]
    // Lists of numbers are long.
    if (typeof value === 'number' || isWorthLook?.(value) === false) continue
    const walked = walk(value, each, null, found)
    if (walked !== value) (changed ??= [...list])[index] = walked
  }
  return changed ?? list
}

function walkObject(object: JsonObject, { names, steps, any }: Step, found: Found): JsonObject {
  let changed: Record<string, unknown> | null = null
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? ''
    const value = object[name]
    const step = steps[index]
    if (value === undefined || value === null || !step) continue
    const walked = walk(value, step, object, found)
    if (walked !== value) (changed ??= { ...object })[name] = walked
  }
  if (!any) return changed ?? object
  for (const name of Object.keys(object)) {
    const walked = walk(object[name], any, object, found)
    if (walked !== object[name]) (changed ??= { ...object })[name] = walked
  }
  return changed ?? object
}

const noNames: readonly ObjectName[] = []

/** Returns what a request, in any dialect, names of the vendor's account; each name once. */
export function objectNames(body: JsonObject): readonly ObjectName[] {
  const found: { names: Map<string, ObjectName> | null; sealed: string } = { names: null, sealed: '' }
  walk(body, root, null, (text, place, parent) => {
    const { path, isRedundant = false, isSealed = false } = place
    if (isSealed) found.sealed = idsAt(text, place, parent).at(-1) ?? found.sealed
    else
      for (const id of idsAt(text, place, parent))
        if (found.names?.get(id)?.isRedundant !== false)
          (found.names ??= new Map()).set(id, { id, place: path.replaceAll('[]', ''), isRedundant, isSealed })
    return text
  })
  const { names, sealed } = found
  if (names === null && sealed === '') return noNames
  const all = [...(names?.values() ?? [])]
  if (sealed !== '')
    all.push({ id: sealId(sealed), place: 'input.encrypted_content', isRedundant: true, isSealed: true })
  return all
}

/** Returns the request with other ids in place of some of its names. */
export const withObjectIds = (body: JsonObject, ids: ReadonlyMap<string, string>): JsonObject =>
  walk(body, root, null, (text, place, parent) => {
    const named = place.isSealed ? noIds : idsAt(text, place, parent)
    const renamed = new Set(named.filter((id) => ids.has(id)))
    return [...renamed].reduce((changed, id) => changed.replaceAll(id, () => ids.get(id) ?? id), text)
  }) as JsonObject

function idsAt(text: string, { when, idIn, path }: Place, parent: JsonObject | null): readonly string[] {
  if (when && !(parent && when(parent))) return noIds
  if (idIn) return idIn(text)
  // A container that the vendor chooses, and the modes of a realtime conversation.
  return unnamed.has(text) && (path === 'conversation' || path.endsWith('container')) ? noIds : [text]
}

const unnamed: ReadonlySet<string> = new Set(['auto', 'none'])
