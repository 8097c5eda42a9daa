import { describe, expect, test } from 'bun:test'
import type { channelRoutes } from '@tollgate/contract'

import { providers } from '../../../../../providers/src'
import { blankForm, type ChannelForm } from './channel-form'
import { readConnection } from './paste-connection'
import { pastedValues } from './pasted-values'

const vendors = providers.map(({ type, id, name, baseUrl }) => ({
  type,
  id,
  name,
  base_url: baseUrl,
  is_popular: id === 'gemini',
})) as Partial<channelRoutes.ChannelType>[] as channelRoutes.ChannelType[]

const typeOf = (requested: string) => vendors.find(({ id }) => id === requested)?.type ?? 0

/** What a form is after a text was pasted: vendor, address and name. */
function paste(text: string, form: Partial<ChannelForm> = {}) {
  const values = { ...blankForm(), ...form }
  const after = { ...values, ...pastedValues(readConnection(text) ?? {}, values, vendors, 'en') }
  return [vendors.find(({ type }) => type === after.type)?.id, after.base_url, after.name]
}

const custom = 'https://llm.example.com'

describe('an address becomes the vendor, its base URL and a name', () => {
  test.each([
    ['https://api.deepseek.com/chat/completions', 'deepseek', '', 'DeepSeek'],
    ['https://api.deepseek.com/anthropic/v1/messages', 'deepseek', '', 'DeepSeek'],
    ['https://api.openai.com/v1/responses', 'openai', '', 'OpenAI'],
    ['https://api.openai.com/v1/embeddings', 'openai', '', 'OpenAI'],
    ['https://api.anthropic.com/v1/messages', 'anthropic', '', 'Anthropic Claude'],
    ['https://openrouter.ai/api/v1/chat/completions', 'openrouter', '', 'OpenRouter'],
    ['https://open.bigmodel.cn/api/paas/v4/chat/completions', 'zhipu', '', 'Zhipu AI'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions', 'dashscope', '', 'Alibaba DashScope'],
    [
      'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
      'dashscope',
      'https://dashscope-intl.aliyuncs.com',
      'Alibaba DashScope',
    ],
    ['https://api.moonshot.ai/v1/chat/completions', 'moonshot', 'https://api.moonshot.ai', 'Moonshot AI (Kimi)'],
    ['https://acme.openai.azure.com/openai/deployments/x', 'azure', 'https://acme.openai.azure.com', 'Azure OpenAI'],
    ['http://localhost:11434/v1', 'ollama', '', 'Ollama'],
    [`${custom}/openai/v1/chat/completions`, 'custom', `${custom}/openai/v1/chat/completions`, 'llm.example.com'],
    [`${custom}/v1/responses`, 'custom', `${custom}/v1/chat/completions`, 'llm.example.com'],
    [`${custom}/v1/embeddings`, 'custom', `${custom}/v1/chat/completions`, 'llm.example.com'],
    [`${custom}/chat/completions`, 'custom', `${custom}/chat/completions`, 'llm.example.com'],
    [`${custom}/v1`, 'custom', `${custom}/v1/chat/completions`, 'llm.example.com'],
    [custom, 'custom', `${custom}/v1/chat/completions`, 'llm.example.com'],
    ['http://localhost:8000/v1', 'custom', 'http://localhost:8000/v1/chat/completions', 'localhost'],
    ['http://10.0.0.7:8000/v1', 'custom', 'http://10.0.0.7:8000/v1/chat/completions', '10.0.0.7'],
    [`${custom}/claude/v1/messages`, 'anthropic', `${custom}/claude`, 'Anthropic Claude'],
    [`${custom}/v1beta/models/gemini-2.5-pro:generateContent`, 'gemini', custom, 'Google Gemini'],
  ])('%s', (text, vendor, baseUrl, name) => {
    expect(paste(text)).toEqual([vendor, baseUrl, name])
  })

  test('the host of Gemini is that of Gemini, whichever vendors share it', () => {
    const [vendor, baseUrl] = paste(
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
    )
    expect([vendor, baseUrl]).toEqual(['gemini', ''])
  })

  test('the region of an address goes into its own field', () => {
    const values = blankForm()
    const connection = { address: 'https://bedrock-runtime.eu-west-1.amazonaws.com' }
    expect(pastedValues(connection, values, vendors, 'en')).toMatchObject({ base_url: '', other: 'eu-west-1' })
  })
})

test('a vendor that was chosen keeps an address of another host, cut to its base', () => {
  expect(paste(`${custom}/v1/chat/completions`, { type: typeOf('openai') })).toEqual(['openai', custom, 'OpenAI'])
})

test('a name of the operator’s own stays', () => {
  expect(paste('https://api.deepseek.com', { name: 'Mine' })).toEqual(['deepseek', '', 'Mine'])
  expect(paste('https://api.deepseek.com', { type: typeOf('openai'), name: 'OpenAI' })[2]).toBe('DeepSeek')
})

test('a key of a named vendor selects it', () => {
  expect(paste('MISTRAL_API_KEY=sk-1')).toEqual(['mistral', '', 'Mistral AI'])
  expect(paste('ACME_API_KEY=sk-1')).toEqual([undefined, '', ''])
})

test('models of a call are added to those of the form', () => {
  const text = `curl https://api.deepseek.com/chat/completions -d '{"model":"deepseek-chat"}'`
  const values = { ...blankForm(), models: ['deepseek-reasoner'] }
  expect(pastedValues(readConnection(text) ?? {}, values, vendors, 'en').models).toEqual([
    'deepseek-reasoner',
    'deepseek-chat',
  ])
})
