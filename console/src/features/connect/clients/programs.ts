import { snippetOf } from '../../../lib/text/snippets/snippet-of'
import { defineClients } from './client'

const quote = (text: string): string => JSON.stringify(text)

/** What runs by itself: workflows and one's own code. */
export const programs = defineClients([
  {
    // https://docs.n8n.io/integrations/builtin/credentials/openai
    id: 'n8n',
    name: 'n8n',
    group: 'program',
    dialect: 'responses',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'fields',
        where: 'Credentials → OpenAI',
        fields: [
          { name: 'API Key', value: apiKey },
          { name: 'Base URL', value: `${address}/v1` },
        ],
      },
      { kind: 'fields', where: 'OpenAI Chat Model → Model → ID', fields: [{ name: 'Model', value: model }] },
    ],
  },
  {
    // https://docs.langchain.com/oss/python/integrations/chat/openai
    id: 'langchain',
    name: 'LangChain',
    group: 'program',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      { kind: 'terminal', variables: {}, command: ['pip', 'install', 'langchain-openai'] },
      {
        kind: 'code',
        language: 'python',
        text: [
          'from langchain_openai import ChatOpenAI',
          '',
          'model = ChatOpenAI(',
          `    model=${quote(model)},`,
          `    base_url=${quote(`${address}/v1`)},`,
          `    api_key=${quote(apiKey)},`,
          ')',
          'print(model.invoke("Hello!").text)',
        ].join('\n'),
      },
    ],
  },
  {
    // https://ai-sdk.dev/providers/openai-compatible-providers
    id: 'ai-sdk',
    name: 'Vercel AI SDK',
    group: 'program',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      { kind: 'terminal', variables: {}, command: ['npm', 'install', 'ai', '@ai-sdk/openai-compatible'] },
      {
        kind: 'code',
        language: 'typescript',
        text: [
          "import { createOpenAICompatible } from '@ai-sdk/openai-compatible'",
          "import { generateText } from 'ai'",
          '',
          'const gateway = createOpenAICompatible({',
          "  name: 'gateway',",
          `  baseURL: ${quote(`${address}/v1`)},`,
          `  apiKey: ${quote(apiKey)},`,
          '})',
          `const { text } = await generateText({ model: gateway(${quote(model)}), prompt: 'Hello!' })`,
          'console.log(text)',
        ].join('\n'),
      },
    ],
  },
  {
    id: 'curl',
    name: 'curl',
    group: 'program',
    dialect: 'openai',
    steps: (place) => [{ kind: 'code', language: 'bash', text: snippetOf('curl', place) }],
  },
  {
    id: 'other',
    name: 'Others',
    group: 'program',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'fields',
        fields: [
          { name: 'Base URL', value: `${address}/v1` },
          { name: 'Base URL without /v1', value: address },
          { name: 'Chat completions', value: `${address}/v1/chat/completions` },
          { name: 'API Key', value: apiKey },
          { name: 'Model', value: model },
        ],
      },
      { kind: 'terminal', variables: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: apiKey } },
    ],
  },
])
