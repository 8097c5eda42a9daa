import { describe, expect, test } from 'bun:test'

import { noUsage } from '../usage'
import { readChatAnswer, readTextlessAnswer } from './response'

describe('a whole answer', () => {
  test('tells its usage and all it says', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const view = readChatAnswer({
      choices: [
        { message: { role: 'assistant', reasoning_content: 'hm', content: 'a' } },
        { message: { role: 'assistant', content: null, tool_calls: [call] } },
        { message: { content: [{ type: 'text', text: 'b' }] } },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    })
    expect(view).toMatchObject({ usage: { promptTokens: 1 }, error: null, toolCalls: 1, isEmpty: false })
    expect(view.completionText()).toBe('hmaf{}b')
  })

  test('a response without visible text is empty', () => {
    expect(readChatAnswer({ choices: [{ message: { content: ' \n' } }] }).isEmpty).toBe(true)
    expect(readChatAnswer({ choices: [] }).isEmpty).toBe(true)
    expect(readChatAnswer({ choices: [{ message: { function_call: { name: 'f' } } }] }).isEmpty).toBe(false)
    expect(readChatAnswer({ choices: [{ text: 'a' }] }).isEmpty).toBe(false)
  })

  test('a response with an error inside is an error', () => {
    expect(readChatAnswer({ error: { message: 'No' } }).error?.message).toBe('No')
  })

  test('a response without text bills its total when nothing else is reported', () => {
    const usage = { total_tokens: 9 }
    expect(readTextlessAnswer({ usage }, ['data']).usage).toEqual({ ...noUsage, promptTokens: 9 })
    expect(readTextlessAnswer({ usage: { prompt_tokens: 4, total_tokens: 9 } }, ['data']).usage?.promptTokens).toBe(4)
    expect(readTextlessAnswer({ data: [] }, ['data'])).toMatchObject({ usage: null, isEmpty: false })
  })
})
