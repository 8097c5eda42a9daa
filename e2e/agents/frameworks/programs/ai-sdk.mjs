import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai'

import {
  hasColor,
  hasPieces,
  hasText,
  key,
  lookupTicket,
  model,
  parameters,
  prompt,
  schema,
  trial,
  url,
  usedTool,
  variant,
} from './trial.mjs'

const at = (path) => ({ baseURL: `${url}${path}`, apiKey: key })
const makers = {
  openai: () => createOpenAI(at('/v1')).responses(model),
  'openai.chat': () => createOpenAI(at('/v1')).chat(model),
  compatible: () => createOpenAICompatible({ name: 'gateway', ...at('/v1'), supportsStructuredOutputs: true })(model),
  anthropic: () => createAnthropic(at('/v1'))(model),
  google: () => createGoogleGenerativeAI(at('/v1beta'))(model),
  openrouter: () => createOpenRouter(at('/api/v1')).chat(model),
}
const asked = { model: makers[variant](), prompt, maxRetries: 0 }

await trial({
  w: async () => hasText((await generateText(asked)).text),
  s: async () => hasPieces(streamText(asked).textStream),
  async t() {
    const lookup_ticket = tool({
      description: 'Looks up a ticket',
      inputSchema: jsonSchema(parameters),
      execute: async (input) => lookupTicket(input),
    })
    usedTool((await generateText({ ...asked, tools: { lookup_ticket }, stopWhen: stepCountIs(4) })).text)
  },
  async o() {
    hasColor((await generateText({ ...asked, output: Output.object({ schema: jsonSchema(schema) }) })).output)
  },
})
