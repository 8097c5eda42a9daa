import { mcpServers, type Agent } from '../agent'

export const qwenCode: Agent = {
  name: 'Qwen Code',
  package: { from: 'npm', name: '@qwen-code/qwen-code', program: 'qwen' },
  files: (place) => ({
    '.qwen/settings.json': JSON.stringify({
      mcpServers: mcpServers(place),
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
    }),
  }),
  // It takes its proxy for addresses of the machine too.
  env: ({ url, key, model }) => ({
    HTTPS_PROXY: '',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_MODEL: model,
  }),
  args: (prompt, isNext, { model }) => [
    ...(isNext ? ['--continue'] : []),
    '--prompt',
    prompt,
    '--model',
    model,
    '--approval-mode',
    'yolo',
  ],
  search: { tool: /^tool_search$/, arguments: (name) => ({ query: `select:mcp__tickets__${name}` }) },
  shell: { tool: /^run_shell_command$/, arguments: (command) => ({ command, is_background: false }) },
}
