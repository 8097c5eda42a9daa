import type { Framework } from './framework'

const aiSdk = ['openai', 'openai-compatible', 'anthropic', 'google'].map((provider) => `@ai-sdk/${provider}`)
const providers = ['openai', 'responses', 'anthropic', 'google']

export const frameworks: readonly Framework[] = [
  {
    name: 'openai-python',
    package: { from: 'pypi', names: ['openai'] },
    program: 'openai_sdk.py',
    variants: ['chat', 'responses'],
  },
  { name: 'anthropic-python', package: { from: 'pypi', names: ['anthropic'] }, program: 'anthropic_sdk.py' },
  { name: 'google-genai (Python)', package: { from: 'pypi', names: ['google-genai'] }, program: 'google_genai.py' },
  {
    name: 'LiteLLM',
    package: { from: 'pypi', names: ['litellm'] },
    program: 'litellm_client.py',
    variants: ['openai', 'anthropic', 'gemini', 'openrouter', 'ollama_chat'],
  },
  {
    name: 'LangChain (Python)',
    package: {
      from: 'pypi',
      names: ['langchain', 'langchain-openai', 'langchain-anthropic', 'langchain-google-genai'],
    },
    program: 'langchain_client.py',
    variants: providers,
  },
  {
    name: 'Pydantic AI',
    package: { from: 'pypi', names: ['pydantic-ai-slim[openai,anthropic,google]'] },
    program: 'pydantic_ai_client.py',
    variants: providers,
  },
  {
    name: 'OpenAI Agents (Python)',
    package: { from: 'pypi', names: ['openai-agents'] },
    program: 'openai_agents.py',
    variants: ['chat', 'responses'],
  },
  {
    name: 'Instructor',
    package: { from: 'pypi', names: ['instructor[anthropic]'] },
    program: 'instructor_client.py',
    variants: ['tools', 'schema', 'responses', 'anthropic'],
  },
  { name: 'DSPy', package: { from: 'pypi', names: ['dspy'] }, program: 'dspy_client.py' },
  { name: 'Haystack', package: { from: 'pypi', names: ['haystack-ai'] }, program: 'haystack_client.py' },
  {
    name: 'Semantic Kernel',
    package: { from: 'pypi', names: ['semantic-kernel'] },
    program: 'semantic_kernel_client.py',
  },
  {
    name: 'LlamaIndex (Python)',
    package: {
      from: 'pypi',
      // Its provider makes objects of types that Anthropic's library has no more since its first version.
      names: ['llama-index-core', 'llama-index-llms-openai-like', 'llama-index-llms-anthropic', 'anthropic<1'],
    },
    program: 'llama_index_client.py',
    variants: ['openai-like', 'anthropic'],
  },
  {
    name: 'openai-node',
    package: { from: 'npm', names: ['openai'] },
    program: 'openai-sdk.mjs',
    variants: ['chat', 'responses'],
  },
  { name: 'anthropic-node', package: { from: 'npm', names: ['@anthropic-ai/sdk'] }, program: 'anthropic-sdk.mjs' },
  { name: '@google/genai', package: { from: 'npm', names: ['@google/genai'] }, program: 'google-genai.mjs' },
  {
    name: 'AI SDK',
    package: { from: 'npm', names: ['ai', ...aiSdk, '@openrouter/ai-sdk-provider'] },
    program: 'ai-sdk.mjs',
    variants: ['openai', 'openai.chat', 'compatible', 'anthropic', 'google', 'openrouter'],
  },
  {
    name: 'LangChain (JavaScript)',
    package: {
      from: 'npm',
      names: ['langchain', '@langchain/core', '@langchain/openai', '@langchain/anthropic', '@langchain/google-genai'],
    },
    program: 'langchain.mjs',
    variants: providers,
  },
  {
    name: 'OpenAI Agents (JavaScript)',
    package: { from: 'npm', names: ['@openai/agents', 'openai', 'zod'] },
    program: 'openai-agents.mjs',
    variants: ['chat', 'responses'],
  },
  {
    name: 'Mastra',
    package: { from: 'npm', names: ['@mastra/core', 'zod'] },
    program: 'mastra.mjs',
  },
  {
    name: 'LlamaIndex (JavaScript)',
    package: {
      from: 'npm',
      names: ['llamaindex', '@llamaindex/openai', '@llamaindex/anthropic', '@llamaindex/workflow', 'zod'],
    },
    program: 'llama-index.mjs',
    variants: ['openai', 'anthropic'],
  },
  { name: 'ollama-js', package: { from: 'npm', names: ['ollama'] }, program: 'ollama.mjs' },
  { name: 'mistral-js', package: { from: 'npm', names: ['@mistralai/mistralai'] }, program: 'mistral.mjs' },
]
