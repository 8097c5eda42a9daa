import { defineClients } from './client'

const quote = (text: string): string => JSON.stringify(text)

/** Agents in an editor, and chat applications. */
export const apps = defineClients([
  {
    // https://docs.cline.bot/provider-config/openai-compatible
    id: 'cline',
    name: 'Cline',
    group: 'editor',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'fields',
        where: 'Settings → API Configuration',
        fields: [
          { name: 'API Provider', value: 'OpenAI Compatible' },
          { name: 'Base URL', value: `${address}/v1` },
          { name: 'API Key', value: apiKey },
          { name: 'Model ID', value: model },
        ],
      },
      {
        // https://docs.cline.bot/cline-cli/cli-reference
        kind: 'terminal',
        variables: {},
        command: [
          'cline',
          'auth',
          '--provider',
          'openai-compatible',
          '--apikey',
          apiKey,
          '--modelid',
          model,
          '--baseurl',
          `${address}/v1`,
        ],
      },
    ],
  },
  {
    // https://docs.continue.dev/reference
    id: 'continue',
    name: 'Continue',
    group: 'editor',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'file',
        path: '~/.continue/config.yaml',
        language: 'yaml',
        text: [
          'name: gateway',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          `  - name: ${quote(model)}`,
          '    provider: openai',
          `    model: ${quote(model)}`,
          `    apiBase: ${quote(`${address}/v1/`)}`,
          `    apiKey: ${quote(apiKey)}`,
          '    roles: [chat, edit, apply]',
          '    capabilities: [tool_use]',
        ].join('\n'),
      },
    ],
  },
  {
    // https://cursor.com/docs/settings/api-keys
    id: 'cursor',
    name: 'Cursor',
    group: 'editor',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'fields',
        where: 'Cursor Settings → Models → API Keys',
        fields: [
          { name: 'OpenAI API Key', value: apiKey },
          { name: 'Override OpenAI Base URL', value: `${address}/v1` },
          { name: 'Add or search model', value: model },
        ],
      },
    ],
  },
  {
    // https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible
    id: 'open-webui',
    name: 'Open WebUI',
    group: 'chat',
    dialect: 'openai',
    steps: ({ address, apiKey }) => [
      {
        kind: 'fields',
        where: 'Admin Panel → Settings → Connections → OpenAI API → Add Connection',
        fields: [
          { name: 'URL', value: `${address}/v1` },
          { name: 'API Key', value: apiKey },
        ],
      },
    ],
  },
  {
    // https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/custom_endpoint
    id: 'librechat',
    name: 'LibreChat',
    group: 'chat',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      { kind: 'file', path: '.env', language: 'bash', text: `GATEWAY_KEY=${apiKey}` },
      {
        kind: 'file',
        path: 'librechat.yaml',
        language: 'yaml',
        text: [
          'version: 1.2.1',
          'endpoints:',
          '  custom:',
          '    - name: gateway',
          '      apiKey: "${GATEWAY_KEY}"',
          `      baseURL: ${quote(`${address}/v1`)}`,
          '      models:',
          `        default: [${quote(model)}]`,
          '        fetch: true',
          '      titleConvo: true',
          '      titleModel: current_model',
        ].join('\n'),
      },
    ],
  },
  {
    // https://lobehub.com/docs/self-hosting/environment-variables/model-provider
    id: 'lobechat',
    name: 'LobeChat',
    group: 'chat',
    dialect: 'openai',
    steps: ({ address, apiKey, model }) => [
      {
        kind: 'fields',
        where: 'Settings → AI Service Provider → OpenAI',
        fields: [
          { name: 'API Key', value: apiKey },
          { name: 'API Proxy URL', value: `${address}/v1` },
        ],
      },
      {
        kind: 'file',
        path: '.env',
        language: 'bash',
        text: [`OPENAI_API_KEY=${apiKey}`, `OPENAI_PROXY_URL=${address}/v1`, `OPENAI_MODEL_LIST=-all,+${model}`].join(
          '\n',
        ),
      },
    ],
  },
])
