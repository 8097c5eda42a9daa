import type { JsonObject } from '../../../core/json'
import type { NeutralCall, OutputFormat } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { omitUndefined } from '../../../core/neutral/read'
import { geminiTraits, type GeminiTraits } from '../models'
import { dialectId } from '../name'
import { writeConfig } from './config'
import { writeContents } from './contents'
import { writeTools } from './tools'

/** A request for content; which model and whether it streams is said by the path. What the model does not take is left out. */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  const traits = geminiTraits(call.model)
  const own = call.own?.dialect === dialectId ? call.own.members : {}
  const instruction = instructionFor(call, traits, warn)
  warnOfOthers(call, warn)
  return omitUndefined({
    ...own,
    ...writeContents(call, instruction === null ? [] : [instruction], traits, warn),
    ...writeTools(call, own, traits, warn),
    generationConfig: writeConfig(call, own, instruction === null, traits, warn),
    labels: call.own?.dialect === dialectId ? (call.metadata ?? undefined) : undefined,
    serviceTier: writeTier(call.serviceTier, warn),
  })
}

/** Older models cannot be held to a form while they have functions: then they are asked for it. */
function instructionFor(call: NeutralCall, { isThird }: GeminiTraits, warn: Warn): string | null {
  const { output, tools } = call
  if (output === null || isThird || call.own?.dialect === dialectId || tools.length === 0) return null
  warn('the JSON format beside tools, which is asked for in words')
  return writeFormatInstruction(output)
}

function writeFormatInstruction(output: OutputFormat): string {
  const alone = 'When you answer, answer with one JSON object and nothing else: no explanation and no code fence.'
  return output.kind === 'json' ? alone : `${alone} It must satisfy this JSON schema: ${JSON.stringify(output.schema)}`
}

function warnOfOthers({ metadata, user, own }: NeutralCall, warn: Warn): void {
  if (user !== null) warn('user')
  if (own?.dialect !== dialectId && metadata !== null && Object.keys(metadata).length > 0) warn('metadata')
}

/** https://ai.google.dev/gemini-api/docs/flex-inference and …/priority-inference */
function writeTier(tier: string | null, warn: Warn): string | undefined {
  if (tier === 'flex' || tier === 'priority') return tier
  if (tier !== null && tier !== 'auto' && tier !== 'default') warn(`the service tier ${tier}`)
  return undefined
}
