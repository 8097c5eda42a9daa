import { formInWords } from '../anthropic-messages/write/call'
import { writeMessages } from '../anthropic-messages/write/messages'
import type { JsonObject } from '../../core/json'
import type { NeutralCall, ToolChoice } from '../../core/neutral/call'
import type { Warn } from '../../core/neutral/codec'
import { toolLabel } from '../../core/neutral/left-out'
import { warnOfBudget, warnOfUnsupported } from '../../core/neutral/plain-call'
import { plainObjectSchema } from '../../core/neutral/object-schema'
import { objectOf, objectsOf, omitUndefined, textOf } from '../../core/neutral/read'
import { writeCallId } from '../openai-chat/short-text'

const supported = ['maxTokens', 'temperature', 'topP', 'stop', 'tools', 'output', 'thinking'] as const

/** A request in the words of Converse. Its turns are those of Messages under other names. */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsupported(call, supported, warn)
  const form = call.output === null ? [] : [formInWords(call.output, warn)]
  const { system, messages } = writeMessages({ ...call, own: null }, form, warn)
  const thinking = writeThinking(call, warn)
  const turns = objectsOf(messages).map(({ role, content }) => ({
    role,
    content: withText(writeBlocks(content, call, warn)),
  }))
  return omitUndefined({
    model: call.model,
    system: system === undefined ? undefined : writeBlocks(system, call, warn),
    messages: turns,
    inferenceConfig: writeSampling(call, thinking === 'high', warn),
    toolConfig: writeTools(call, turns, warn),
    additionalModelRequestFields: thinking && {
      reasoningConfig: { type: 'enabled', maxReasoningEffort: thinking },
    },
  })
}

/** Where Nova 2 thinks hard, nothing else is taken. */
function writeSampling({ sampling }: NeutralCall, isFree: boolean, warn: Warn): JsonObject | undefined {
  const { maxTokens, temperature, topP, stop } = sampling
  const acceptValue = (value: number | null, name: string): number | undefined => {
    if (value !== null && isFree) warn(name)
    return isFree ? undefined : (value ?? undefined)
  }
  const config = omitUndefined({
    maxTokens: maxTokens ?? undefined,
    temperature: acceptValue(temperature === null ? null : Math.min(temperature, 1), 'temperature'),
    topP: acceptValue(topP, 'top_p'),
    stopSequences: stop.length > 0 ? stop : undefined,
  })
  return Object.keys(config).length > 0 ? config : undefined
}

/**
 * Nova 2 thinks where the request says so; of other models no such field is known. At high effort it takes no limit of the answer, so the limit is kept.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
function writeThinking({ model, thinking, sampling }: NeutralCall, warn: Warn): 'low' | 'medium' | 'high' | undefined {
  if (thinking?.isEnabled !== true) return undefined
  if (!/\bnova-2-/.test(model)) {
    warn('thinking')
    return undefined
  }
  warnOfBudget({ thinking }, warn)
  const { effort } = thinking
  if (effort === 'minimal' || effort === 'low') return 'low'
  const isHard = effort === 'high' || effort === 'xhigh' || effort === 'max'
  if (!isHard || sampling.maxTokens === null) return isHard ? 'high' : 'medium'
  warn(`the effort ${effort} beside a limit of the answer`)
  return 'medium'
}

/** A conversation with calls is refused without tools, so those that it called are declared. */
function writeTools(call: NeutralCall, turns: readonly JsonObject[], warn: Warn): JsonObject | undefined {
  const tools = call.tools.flatMap((tool) => {
    if (tool.kind === 'function') return [declareTool(tool.name, tool.description, plainObjectSchema(tool.schema))]
    warn(toolLabel(tool))
    return []
  })
  const all = tools.length > 0 ? tools : calledIn(turns).map((name) => declareTool(name, '', { type: 'object' }))
  if (all.length === 0) return undefined
  return omitUndefined({ tools: all, toolChoice: tools.length > 0 ? writeChoice(call.toolChoice, warn) : undefined })
}

const declareTool = (name: string, description: string, json: JsonObject): JsonObject => ({
  toolSpec: omitUndefined({ name, description: description || undefined, inputSchema: { json } }),
})

function calledIn(turns: readonly JsonObject[]): string[] {
  const calls = turns.flatMap(({ content }) =>
    objectsOf(content).map(({ toolUse }) => textOf(objectOf(toolUse)['name'])),
  )
  return [...new Set(calls.filter((name) => name !== ''))]
}

function writeChoice(choice: ToolChoice | null, warn: Warn): JsonObject | undefined {
  switch (choice?.kind) {
    case 'tool':
      return { tool: { name: choice.name } }
    case 'required': {
      const [only, ...others] = choice.among ?? []
      if (others.length > 0) warn('a choice among some tools')
      return only !== undefined && others.length === 0 ? { tool: { name: only } } : { any: {} }
    }
    case 'none':
      warn('that no tool may be called')
      return undefined
    default:
      return undefined
  }
}

/** Nothing is blank. */
const filler = '...'

/** A turn without blocks is refused, and so is a document without a text beside it. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
const withText = (blocks: JsonObject[]): JsonObject[] =>
  blocks.length === 0 || (blocks.some((block) => 'document' in block) && !blocks.some((block) => 'text' in block))
    ? [...blocks, { text: filler }]
    : blocks

/** Blocks of Messages in the words of Converse. Of the models that speak it alone, Amazon's have a cache that is marked. */
function writeBlocks(blocks: unknown, { model }: Pick<NeutralCall, 'model'>, warn: Warn): JsonObject[] {
  const hasMarks = /\bamazon\.nova-/.test(model)
  return objectsOf(blocks).flatMap((block) => {
    const all = writeBlock(block, warn)
    const isMarked = hasMarks && all.length > 0 && block['cache_control'] !== undefined
    return isMarked ? [...all, { cachePoint: { type: 'default' } }] : all
  })
}

function writeBlock(block: JsonObject, warn: Warn): JsonObject[] {
  switch (block['type']) {
    case 'text':
      return [{ text: block['text'] }]
    case 'thinking': {
      const reasoningText = { text: block['thinking'], signature: block['signature'] }
      return [{ reasoningContent: { reasoningText } }]
    }
    case 'redacted_thinking':
      return [{ reasoningContent: { redactedContent: block['data'] } }]
    case 'tool_use':
      return [{ toolUse: { toolUseId: idOf(block['id']), name: block['name'], input: block['input'] } }]
    case 'tool_result':
      return [{ toolResult: writeResult(block, warn) }]
    case 'image':
      return writeImage(objectOf(block['source']), warn)
    case 'document':
      return writeDocument(block, warn)
    default:
      warn(`the part ${textOf(block['type'])}`)
      return []
  }
}

const idOf = (id: unknown): string => writeCallId(textOf(id))

function writeResult(result: JsonObject, warn: Warn): JsonObject {
  const content = objectsOf(result['content']).flatMap((block) => writeBlock(block, warn))
  return omitUndefined({
    toolUseId: idOf(result['tool_use_id']),
    content: content.length > 0 ? content : [{ text: filler }],
    status: result['is_error'] === true ? 'error' : undefined,
  })
}

function writeImage(source: JsonObject, warn: Warn): JsonObject[] {
  if (source['type'] === 'base64')
    return [
      { image: { format: textOf(source['media_type']).slice('image/'.length), source: { bytes: source['data'] } } },
    ]
  warn('an image at an address')
  return []
}

/** A name has letters, digits, spaces, hyphens and brackets alone. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
function writeDocument(block: JsonObject, warn: Warn): JsonObject[] {
  const { type, data } = objectOf(block['source'])
  if (type !== 'base64' && type !== 'text') {
    warn('a file at an address')
    return []
  }
  const name = textOf(block['title'])
    .replaceAll(/[^\w()[\]-]+/gu, ' ')
    .replaceAll('_', ' ')
    .trim()
    .slice(0, 200)
  const bytes = type === 'text' ? Buffer.from(textOf(data)).toString('base64') : data
  return [{ document: { format: type === 'text' ? 'txt' : 'pdf', name: name || 'document', source: { bytes } } }]
}
