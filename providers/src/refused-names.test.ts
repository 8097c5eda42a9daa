import { describe, expect, test } from 'bun:test'

import { refusedNames } from './refused-names'

const findRefusedNames = (message: string, code = '', param: string | null = null) =>
  refusedNames({ message, code, param })
const members = (message: string) => findRefusedNames(message)?.members ?? null

describe('the members that a refusal names', () => {
  test.each<[string, readonly string[]]>([
    ["Unsupported parameter: 'reasoning_effort' is not supported with this model.", ['reasoning_effort']],
    ["Unknown parameter: 'prompt_cache_key'.", ['prompt_cache_key']],
    ['Unsupported parameter: prompt_cache_retention', ['prompt_cache_retention']],
    ['Unsupported parameter(s): `prompt_cache_options`, `store`', ['prompt_cache_options', 'store']],
    ['Unrecognized request argument supplied: safety_identifier', ['safety_identifier']],
    ['Unrecognized request arguments supplied: verbosity, store', ['verbosity', 'store']],
    ["Unrecognized key(s) in object: 'metadata', 'user'", ['metadata', 'user']],
    ["Completions.create() got an unexpected keyword argument 'logit_bias'", ['logit_bias']],
    ['Unknown field: is_error', ['is_error']],
    ['json: unknown field "service_tier"', ['service_tier']],
    ['unknown field `foo`, expected one of `model`, `messages`', ['foo', 'expected']],
    ["Unsupported value: 'temperature' does not support 0.3 with this model.", ['temperature']],
    ['Argument not supported on this model: presencePenalty', ['presencePenalty']],
    ["openrouter does not support parameters: ['reasoning_effort', 'seed'], for model=x", ['reasoning_effort', 'seed']],
    ['This model does not support the effort parameter.', ['effort']],
    ['`temperature` is deprecated for this model.', ['temperature']],
    ["property 'reasoning_content' is unsupported", ['reasoning_content']],
    [
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'annotations' is unsupported)]",
      ['messages.1.annotations'],
    ],
    ['invalid temperature: only 1 is allowed for this model', ['temperature']],
    [
      'system.2.cache_control.ephemeral.scope: Extra inputs are not permitted',
      ['system.2.cache_control.ephemeral.scope'],
    ],
    [
      '{"message":"tools.0.custom.eager_input_streaming: Extra inputs are not permitted"}',
      ['tools.0.custom.eager_input_streaming'],
    ],
    [
      'The model returned the following errors: context_management: Extra inputs are not permitted',
      ['context_management'],
    ],
    ["Extra inputs are not permitted, field: 'store', value: True", ['store']],
    ['Validation error at #/stream_options: Extra inputs are not permitted', ['#/stream_options']],
    ['Malformed input request: #/messages/0: extraneous key [name] is not permitted, please', ['#/messages/0.name']],
    // https://github.com/vllm-project/vllm, `validation_exception_handler`
    [
      "[{'type': 'extra_forbidden', 'loc': ('body', 'messages', 1, 'phase'), 'msg': 'Extra inputs are not permitted', 'input': 'x'}]",
      ['messages.1.phase'],
    ],
    [
      "1 validation error:\n  {'type': 'extra_forbidden', 'loc': ('body', 'store'), 'msg': 'Extra inputs are not permitted', 'input': True}",
      ['store'],
    ],
    ['Malformed input request: extraneous key [store] is not permitted, please reformat your input', ['store']],
    [
      "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      ['messages.1.assistant.reasoning_content'],
    ],
    ["Additional properties are not allowed ('n', 'user' were unexpected)", ['n', 'user']],
    [
      'Invalid JSON payload received. Unknown name "labels": Cannot find field.\nInvalid JSON payload received. Unknown name "topQ" at \'generation_config\': Cannot find field.',
      ['labels', 'generation_config.topQ'],
    ],
    ['不支持的参数：enable_thinking', ['enable_thinking']],
    ['参数 logit_bias 不支持', ['logit_bias']],
    ['当前模型不支持 parallel_tool_calls 参数', ['parallel_tool_calls']],
  ])('the names of refused members are read from: %s', (message, expected) =>
    expect(members(message)).toEqual(expected),
  )

  test.each([
    ['Invalid value for temperature: must be at most 2'],
    ["Invalid parameter: 'temperature' must be between 0 and 2"],
    ['max_tokens is too large: 99999'],
    ['This model does not support images'],
    ['The model `x` does not exist'],
    ['messages: field required'],
    [''],
  ])('no refused name is found in: %s', (message) => expect(findRefusedNames(message)).toBeNull())

  test('the code and its parameter name a member without words', () => {
    expect(findRefusedNames('Not here.', 'unsupported_parameter', 'tools[0].strict')?.members).toEqual([
      'tools[0].strict',
    ])
    expect(findRefusedNames('Not here.', 'invalid_value', 'tools[0].strict')).toBeNull()
  })

  test.each<[string, string, boolean]>([
    ["Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.", '', true],
    ["Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model.", 'unsupported_value', true],
    ["'verbosity' is not supported. Supported values are: 'medium'.", '', true],
    ["Unsupported parameter: 'top_p' is not supported when thinking is enabled", '', true],
    ['parameter `n` is not supported while streaming', '', true],
    ['`top_p` is not supported together with `temperature`', '', true],
    ['当 enable_thinking 为 true 时，参数 logit_bias 不支持', '', true],
    [
      "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      'unsupported_value',
      false,
    ],
    ['invalid temperature: only 1 is allowed for this model', '', false],
    ["Unsupported parameter: 'verbosity' is not supported with this model.", 'unsupported_parameter', false],
    ['参数 logit_bias 不支持', '', false],
  ])('whether %s holds for other requests', (message, code, expected) => {
    const found = findRefusedNames(message, code, code === 'unsupported_value' ? 'temperature' : null)
    expect(found?.isConditional).toBe(expected)
  })

  test('only what stands first counts, as the rest may repeat the caller', () => {
    const echo = "Unsupported parameter: 'temperature'"
    expect(members(`Extra inputs are not permitted, field: 'foo', value: "${echo}"`)).toEqual(['foo'])
  })
})

describe('what else a refusal names', () => {
  test('betas by name, or all of them', () => {
    const message =
      'Unexpected value(s) `adaptive-thinking-2026-01-28`, `effort-2025-11-24` for the `anthropic-beta` header.'
    expect(findRefusedNames(message)?.betas).toEqual(['adaptive-thinking-2026-01-28', 'effort-2025-11-24'])
    expect(findRefusedNames('invalid beta flag')?.betas).toBe('all')
  })

  test.each([
    [
      "tools.0: Input tag 'memory_20250818' found using 'type' does not match any of the expected tags: 'custom'",
      'memory_20250818',
    ],
    ['tools.14: tool type "tool_search" is not supported', 'tool_search'],
    ['Unsupported tool type: web_search', 'web_search'],
  ])('a refused tool is named by: %s', (message, tool) => expect(findRefusedNames(message)?.tools).toEqual([tool]))

  test.each([
    ['messages[0].role: unknown variant `developer`, expected one of `system`, `user`'],
    ["developer is not one of ['system', 'assistant', 'user'] - 'messages.[0].role'"],
    ["Input tag 'developer' found using 'role' does not match any of the expected tags"],
    ["invalid parameter 'messages[0].role': invalid role 'developer', must be one of: system"],
  ])('the role of a developer: %s', (message) => expect(findRefusedNames(message)?.isDeveloper).toBe(true))

  test.each([
    ['messages.1.content.0: Invalid `signature` in `thinking` block', ''],
    // https://github.com/anomalyco/opencode/issues/48637
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
      '',
    ],
    // https://github.com/anthropics/claude-code/issues/63265
    ["messages.1.content.19: 'thinking' blocks in the latest assistant message cannot be modified", ''],
    [
      'messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      '',
    ],
    ["Item 'rs_1' of type 'reasoning' was provided without its required following item.", ''],
    ["Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.", ''],
    ['Corrupted thought signature.', ''],
    ['Invalid thought signature.', ''],
    ['thought_signature is not valid', ''],
    ['The encrypted content gAAA... could not be verified.', ''],
    ['Anything', 'invalid_encrypted_content'],
    ["Item 'rs_123' not found.", ''],
  ])('reasoning of another account: %s', (message, code) =>
    expect(findRefusedNames(message, code)?.isReasoning).toBe(true),
  )
})
