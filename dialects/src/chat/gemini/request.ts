import type { TokenCount } from '../../core/dialect'
import type { PathContext, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { isObject, type JsonObject } from '../../core/json'
import { missing, readChoices, readMaxTokens, readModel, wrongType } from '../../core/shared/fields'
import { listOf, member, memberObject, nameIn } from '../../core/shared/google-members'
import { contentsPrompt } from './prompt'

/**
 * The view of a request for content; which model and whether it streams is said by the path.
 * https://ai.google.dev/api/generate-content
 * @throws DialectError
 */
export function readGenerateRequest(body: JsonObject, pathContext: PathContext): RequestView {
  requireContents(member(body, 'contents'))
  const config = member(body, 'generationConfig') ?? {}
  if (!isObject(config)) throw wrongType('generationConfig', 'an object', config)
  const counts = countsOf(config)
  return {
    model: modelOf(body, pathContext),
    isStream: pathContext.isStream,
    includeUsage: true,
    // Zero is how the protocol says that nothing is said.
    maxOutputTokens: readMaxTokens(counts, 'generationConfig.maxOutputTokens', 0) || null,
    choices: readChoices(counts, 'generationConfig.candidateCount'),
  }
}

/** The body with a limit on each candidate. */
export function withOutputLimit(body: JsonObject, tokens: number): JsonObject {
  const name = nameIn(body, 'generationConfig')
  const config = memberObject(body, 'generationConfig')
  return { ...body, [name]: { ...config, [nameIn(config, 'maxOutputTokens')]: tokens } }
}

/** What stands in the path wins; programs that name the model in the body too write it as a resource. */
function modelOf(body: JsonObject, { model }: PathContext): string {
  const named = model === '' ? body['model'] : model
  return readModel({ model: typeof named === 'string' ? named.replace(/^models\//, '') : named })
}

/** The counts by the names that an error tells; the protocol takes whole numbers as texts too. */
function countsOf(config: JsonObject): JsonObject {
  const count = (name: string): unknown => {
    const value = member(config, name)
    return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  }
  return {
    'generationConfig.maxOutputTokens': count('maxOutputTokens'),
    'generationConfig.candidateCount': count('candidateCount') || undefined,
  }
}

function requireContents(contents: unknown): void {
  if (contents === undefined || contents === null) throw missing('contents')
  if (!Array.isArray(contents) && !isObject(contents)) throw wrongType('contents', 'an array of objects', contents)
  if (Array.isArray(contents) && contents.length === 0)
    throw new DialectError('contents', 'empty_array', "Invalid 'contents': expected at least one content.")
  for (const [index, content] of (Array.isArray(contents) ? contents : [contents]).entries())
    requireContent(content, `contents[${index}]`)
}

function requireContent(content: unknown, place: string): void {
  if (!isObject(content)) throw wrongType(place, 'an object', content)
  const { role = null, parts = null } = content
  if (role !== null && typeof role !== 'string') throw wrongType(`${place}.role`, 'a string', role)
  if (parts === null || isObject(parts)) return
  if (!Array.isArray(parts)) throw wrongType(`${place}.parts`, 'an array of objects', parts)
  parts.forEach((part: unknown, index) => {
    if (!isObject(part)) throw wrongType(`${place}.parts[${index}]`, 'an object', part)
  })
}

/**
 * How long a prompt is: contents alone, or the whole request they belong to. https://ai.google.dev/api/tokens
 * The whole of a request names its model itself where the path does not.
 */
export const tokenCount: TokenCount = {
  read: (body, pathContext) => {
    const whole = member(body, 'generateContentRequest')
    const requested = isObject(whole) ? whole : body
    const { model } = readGenerateRequest({ ...requested, contents: contentsOf(requested) }, pathContext)
    return { model, prompt: contentsPrompt(requested) }
  },
  write: (totalTokens) => ({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] }),
}

/** Instructions and tools may be counted without a talk. */
function contentsOf(requested: JsonObject): unknown {
  const contents = member(requested, 'contents')
  const hasOthers = member(requested, 'systemInstruction') !== undefined || listOf(requested['tools']).length > 0
  return (contents === undefined || contents === null) && hasOthers ? {} : contents
}
