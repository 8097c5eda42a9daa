import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas, noSampling } from '../core/neutral/test/fixtures'
import { hunyuanEmbeddingsCodec } from '../vectors/hunyuan-embeddings'
import { noUsage } from '../core/usage'
import { hunyuanChatCodec as codec } from './hunyuan-chat'

const dialect = dialects['hunyuan-chat']
const text = (words: string) => [{ kind: 'text', text: words } as const]
const weather = {
  kind: 'function',
  name: 'weather',
  description: 'Tells it',
  schema: { type: 'object' },
  isStrict: null,
} as const
const Usage = { PromptTokens: 5, CompletionTokens: 3, TotalTokens: 8 }
const counted = { ...noUsage, promptTokens: 5, completionTokens: 3 }

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  return { body: codec.writeCall(aCall(change), (what) => warnings.push(what)), warnings }
}

const read = (...events: readonly JsonObject[]): readonly AnswerEvent[] => {
  const reader = codec.createReader()
  return joinDeltas([
    ...events.flatMap((event) => reader.read({ name: '', data: JSON.stringify(event) })),
    ...reader.end(),
  ])
}

describe('a request', () => {
  test('a request is written in the vendor’s names, with schemas as texts', () => {
    const { body, warnings } = writeCall({
      model: 'hunyuan-turbos-latest',
      isStream: true,
      messages: [
        { role: 'system', parts: text('Be brief.') },
        { role: 'user', parts: [...text('See'), { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } }] },
        {
          role: 'assistant',
          parts: [{ kind: 'tool-call', id: 'c1', name: 'weather', argumentsText: '{"city":"Ulm"}' }],
        },
        {
          role: 'user',
          parts: [{ kind: 'tool-result', callId: 'c1', name: 'weather', parts: text('wet'), isError: false }],
        },
      ],
      tools: [weather],
      toolChoice: { kind: 'tool', name: 'weather' },
      sampling: { ...noSampling, temperature: 0.5, topP: 0.9, seed: 7, stop: ['x'] },
      thinking: { isEnabled: false, effort: null, budgetTokens: null, isShown: null, summary: null },
    })
    const tool = {
      Type: 'function',
      Function: { Name: 'weather', Description: 'Tells it', Parameters: '{"type":"object","properties":{}}' },
    }
    expect(body).toEqual({
      Model: 'hunyuan-turbos-latest',
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'See' },
            { Type: 'image_url', ImageUrl: { Url: 'https://x/y.png' } },
          ],
        },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'weather', Arguments: '{"city":"Ulm"}' } }],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: 'wet' },
      ],
      Tools: [tool],
      ToolChoice: 'custom',
      CustomTool: tool,
      Temperature: 0.5,
      TopP: 0.9,
      Seed: 7,
      Stop: ['x'],
      EnableThinking: false,
      Stream: true,
    })
    expect(warnings).toEqual([])
  })

  test('warns of what the vendor has no word for', () => {
    const { warnings } = writeCall({
      tools: [weather],
      toolChoice: { kind: 'required' },
      sampling: { ...noSampling, maxTokens: 64, frequencyPenalty: 1, choices: 2 },
      output: { kind: 'json' },
      user: 'u',
    })
    expect(warnings.toSorted()).toEqual([
      'a tool that must be called, whichever',
      'max_tokens',
      'more than one choice',
      'penalties',
      'the format of the answer',
      'user',
    ])
  })
})

describe('an answer', () => {
  const calls = [{ Id: 'c1', Type: 'function', Index: 0, Function: { Name: 'weather', Arguments: '{"city":"Ulm"}' } }]
  const chunk = (Delta: JsonObject, FinishReason = ''): JsonObject => ({
    Id: 'a1',
    Created: 7,
    Usage,
    Choices: [{ Index: 0, Delta, FinishReason }],
  })

  test('says the same streamed and whole', () => {
    const streamed = read(
      chunk({ Role: 'assistant', ReasoningContent: 'Hm.' }),
      chunk({ Content: 'It ' }),
      chunk({ Content: 'rains.' }),
      chunk({ ToolCalls: calls }, 'tool_calls'),
    )
    const message = { Role: 'assistant', ReasoningContent: 'Hm.', Content: 'It rains.', ToolCalls: calls }
    const whole = {
      Response: { Id: 'a1', Created: 7, Usage, Choices: [{ Message: message, FinishReason: 'tool_calls' }] },
    }
    const withoutUsage = (events: readonly AnswerEvent[]) => events.filter(({ type }) => type !== 'usage')
    expect(joinDeltas(withoutUsage(streamed))).toEqual(withoutUsage(joinDeltas(codec.readAnswer(whole))))
    expect(streamed).toContainEqual({ type: 'usage', usage: counted })
    expect(streamed).toContainEqual(expect.objectContaining({ type: 'choice-end', reason: 'tool-calls' }))
    expect(dialect.readAnswer(whole)).toMatchObject({ usage: counted, error: null, toolCalls: 1 })
  })

  test('an answer that is held back ends for its content', () => {
    expect(read(chunk({ Content: '' }, 'sensitive'))).toContainEqual(
      expect.objectContaining({ type: 'choice-end', reason: 'content-filter' }),
    )
  })

  test('tells its failure, whole and in a stream', () => {
    const error = { message: 'No more.', type: '', code: 'RequestLimitExceeded', param: null }
    const reported = { Response: { Error: { Code: 'RequestLimitExceeded', Message: 'No more.' }, RequestId: 'r' } }
    expect(dialect.readAnswer(reported).error).toEqual(error)
    expect(dialect.readError(200, JSON.stringify(reported))).toEqual(error)
    expect(read({ ErrorMsg: { Code: 'RequestLimitExceeded', Msg: 'No more.' } }, chunk({ Content: 'x' }))).toEqual([
      { type: 'failure', error },
    ])
  })
})

test('vectors are asked for by texts and read with the tokens of the prompt', () => {
  const Data = [{ Embedding: [0.5, -1], Index: 0, Object: 'embedding' }]
  const answer = { Response: { Data, Usage: { PromptTokens: 4, TotalTokens: 4 } } }
  expect(hunyuanEmbeddingsCodec.readAnswer(answer)).toEqual({
    model: '',
    vectors: [[0.5, -1]],
    usage: { ...noUsage, promptTokens: 4 },
  })
  const embeddings = dialects['hunyuan-embeddings']
  expect(embeddings.readAnswer(answer)).toMatchObject({ error: null, usage: { promptTokens: 4 } })
  const refused = { Response: { Error: { Code: 'AuthFailure', Message: 'No' } } }
  expect(embeddings.readAnswer(refused).error).toMatchObject({ code: 'AuthFailure', message: 'No' })
})
