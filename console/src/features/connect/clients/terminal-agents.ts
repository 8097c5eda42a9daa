import { defineClients } from './client'

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const quote = (text: string): string => JSON.stringify(text)

/** Coding agents in a terminal. `e2e/agents` installs them and drives each with these lines. */
export const terminalAgents = defineClients([
  {
    // https://code.claude.com/docs/en/llm-gateway
    id: 'claude-code',
    name: 'Claude Code',
    group: 'terminal',
    dialect: 'anthropic',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'terminal',
        variables: {
          ANTHROPIC_BASE_URL: address,
          ANTHROPIC_AUTH_TOKEN: apiKey,
          ANTHROPIC_MODEL: model,
          // What it does in the background.
          ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        },
        command: ['claude'],
      },
    ],
  },
  {
    // https://developers.openai.com/codex/config-advanced
    id: 'codex',
    name: 'Codex',
    group: 'terminal',
    dialect: 'responses',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'file',
        path: '~/.codex/config.toml',
        language: 'toml',
        text: [
          `model = ${quote(model)}`,
          'model_provider = "gateway"',
          '',
          '[model_providers.gateway]',
          'name = "gateway"',
          `base_url = ${quote(`${address}/v1`)}`,
          'env_key = "GATEWAY_KEY"',
          'wire_api = "responses"',
        ].join('\n'),
      },
      { kind: 'terminal', variables: { GATEWAY_KEY: apiKey }, command: ['codex'] },
    ],
  },
  {
    // https://geminicli.com/docs/reference/configuration
    id: 'gemini-cli',
    name: 'Gemini CLI',
    group: 'terminal',
    dialect: 'gemini',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'file',
        path: '~/.gemini/settings.json',
        language: 'json',
        text: json({ security: { auth: { selectedType: 'gemini-api-key' } } }),
      },
      {
        kind: 'terminal',
        variables: { GEMINI_API_KEY: apiKey, GOOGLE_GEMINI_BASE_URL: address },
        command: ['gemini', '--model', model],
      },
    ],
  },
  {
    // https://qwenlm.github.io/qwen-code-docs/en/users/configuration/auth
    id: 'qwen-code',
    name: 'Qwen Code',
    group: 'terminal',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'file',
        path: '~/.qwen/settings.json',
        language: 'json',
        text: json({ security: { auth: { selectedType: 'openai' } } }),
      },
      {
        kind: 'terminal',
        variables: { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model },
        command: ['qwen'],
      },
    ],
  },
  {
    // https://opencode.ai/docs/providers
    id: 'opencode',
    name: 'opencode',
    group: 'terminal',
    dialect: 'responses',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'file',
        path: '~/.config/opencode/opencode.json',
        language: 'json',
        text: json({
          $schema: 'https://opencode.ai/config.json',
          provider: {
            gateway: {
              npm: '@ai-sdk/openai',
              name: 'gateway',
              options: { baseURL: `${address}/v1`, apiKey },
              models: { [model]: { reasoning: true, tool_call: true } },
            },
          },
        }),
      },
      { kind: 'terminal', variables: {}, command: ['opencode', '--model', `gateway/${model}`] },
    ],
  },
  {
    // https://aider.chat/docs/llms/openai-compat.html
    id: 'aider',
    name: 'aider',
    group: 'terminal',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'terminal',
        variables: { OPENAI_API_BASE: `${address}/v1`, OPENAI_API_KEY: apiKey },
        command: ['aider', '--model', `openai/${model}`],
      },
    ],
  },
])
